"""Buffers that stay right: padding, junk, changing sizes."""

from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.tensors.format import DataType, Layout
import numpy as np
import pytest

FORMS = [
    (DataType.FP32, Layout.LINEAR),
    (DataType.FP16, Layout.DLA_LINEAR),
    (DataType.INT8, Layout.DLA_HWC4),
    (DataType.FP16, Layout.CHW16),
    (DataType.INT8, Layout.CHW32),
]


@pytest.mark.parametrize('form', FORMS)
@pytest.mark.parametrize('padding', Padding)
def test_a_buffer_stays_right_while_sizes_change(make_spec, prepared, picture, form, padding):
    spec = make_spec(form, 33, 40)
    preprocessor = HostPreprocessor.open(Preprocessing(padding=padding), spec)
    kept = np.full(spec.size, 0x5A, np.uint8)
    for size in [(20, 40), (40, 20), (1, 1), (1, 400), (20, 40), (400, 1), (33, 40), (20, 40)]:
        image = picture('rgb8', *size)
        assert preprocessor.prepare(image, kept) == Letterbox.fit(size, (33, 40), padding)
        fresh = prepared(HostPreprocessor.open(Preprocessing(padding=padding), spec), spec, image)
        assert np.array_equal(kept, fresh)


def test_a_new_buffer_gets_its_padding_too(make_spec, prepared, picture):
    spec = make_spec((DataType.FP16, Layout.CHW16), 33, 40)
    preprocessor = HostPreprocessor.open(Preprocessing(), spec)
    image = picture('rgb8', 20, 40)
    first = prepared(preprocessor, spec, image)
    assert np.array_equal(prepared(preprocessor, spec, image), first)


def test_more_sizes_than_are_remembered_stay_right(make_spec, prepared, picture):
    spec = make_spec((DataType.INT8, Layout.CHW32), 33, 40)
    preprocessor = HostPreprocessor.open(Preprocessing(), spec)
    kept = np.zeros(spec.size, np.uint8)
    for height in [*range(3, 30), *range(3, 30)]:
        image = picture('rgb8', height, 40)
        preprocessor.prepare(image, kept)
        fresh = prepared(HostPreprocessor.open(Preprocessing(), spec), spec, image)
        assert np.array_equal(kept, fresh)


def test_bytes_behind_the_tensor_are_left_alone(make_spec, picture):
    spec = make_spec((DataType.INT8, Layout.DLA_LINEAR), 33, 40)
    out = np.full(spec.size + 64, 0x5A, np.uint8)
    HostPreprocessor.open(Preprocessing(), spec).prepare(picture('rgb8', 20, 40), out)
    assert (out[spec.size :] == 0x5A).all()
