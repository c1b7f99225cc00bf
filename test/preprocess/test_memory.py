"""A frame takes no memory once its size is known."""

import tracemalloc

from dla_ros.images.encodings import ENCODINGS
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.preprocessing import Preprocessing
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


@pytest.mark.parametrize('encoding', ENCODINGS)
@pytest.mark.parametrize('form', FORMS)
def test_a_frame_takes_no_memory(make_spec, picture, encoding, form):
    spec = make_spec(form, 256, 256)
    preprocessor = HostPreprocessor.open(Preprocessing(), spec)
    out = np.zeros(spec.size, np.uint8)
    image = picture(encoding, 200, 300, junk=1, is_bigendian=True)
    preprocessor.prepare(image, out)
    tracemalloc.start()
    try:
        for _ in range(3):
            preprocessor.prepare(image, out)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # One plane of the picture would be 43776 bytes; views and tuples are a few hundred.
    assert peak < 8192


def test_taking_memory_for_a_frame_would_be_seen(picture):
    tracemalloc.start()
    try:
        picture('mono8', 200, 300).planes[0].copy()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak > 60000


def test_sizes_that_never_come_back_do_not_fill_the_memory(make_spec, picture):
    spec = make_spec((DataType.FP16, Layout.CHW16), 64, 64)
    preprocessor = HostPreprocessor.open(Preprocessing(), spec)
    out = np.zeros(spec.size, np.uint8)
    taken = []
    tracemalloc.start()
    try:
        for width in range(40, 40 + 96):
            preprocessor.prepare(picture('nv12', 64, 2 * width), out)
            taken.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert max(taken[48:]) < 2 * max(taken[:16])
