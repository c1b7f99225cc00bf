"""What becomes of the pixel values."""

from dla_ros.errors import ConfigError, TensorError
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.preprocess.tables import to_tables
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest


def spec(data_type, scale=None):
    return lay_out('images', (1, 3, 8, 8), data_type, Layout.LINEAR, scale)


def test_each_channel_has_its_own_mean_and_std():
    settings = Preprocessing(mean=(1, 2, 3), std=(1, 2, 4))
    tables = to_tables(settings, spec(DataType.FP32))
    assert [float(table[7]) for table in tables] == [6, 2.5, 1]
    assert all(table.dtype == np.float32 and table.shape == (256,) for table in tables)


def test_floats_are_rounded_once():
    (table, *_) = to_tables(Preprocessing(), spec(DataType.FP16))
    assert np.array_equal(table, (np.arange(256) / 255).astype(np.float16))


def test_int8_is_rounded_half_away_from_zero_and_saturated():
    settings = Preprocessing(mean=(128, 128, 128), std=(1, 1, 1))
    (table, *_) = to_tables(settings, spec(DataType.INT8, scale=2.0))
    assert table[[125, 127, 128, 129, 131]].tolist() == [-2, -1, 0, 1, 2]
    (table, *_) = to_tables(settings, spec(DataType.INT8, scale=0.5))
    assert table[[0, 255]].tolist() == [-128, 127]


def test_int8_without_a_scale_is_refused():
    with pytest.raises(TensorError, match='scale'):
        to_tables(Preprocessing(), spec(DataType.INT8))


def test_a_value_beyond_fp16_is_told():
    settings = Preprocessing(std=(0.001, 1, 1))
    with pytest.raises(ConfigError, match=r'255000, beyond fp16 \(up to 65504'):
        to_tables(settings, spec(DataType.FP16))
    assert to_tables(settings, spec(DataType.FP32))[0][255] == 255000
