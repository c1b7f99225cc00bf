"""Pictures for drawing."""

import cv2
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import to_image_view
from dla_ros.preprocess.bgr import to_bgr
import numpy as np
import pytest


@pytest.mark.parametrize('encoding', ENCODINGS)
def test_every_encoding_can_be_drawn_on(encoding):
    known = ENCODINGS[encoding]
    rows = 12 if known.is_semi_planar else 8
    step = 8 * known.pixel_bytes + 3
    data = np.random.default_rng(0).integers(0, 256, step * rows, np.uint8)
    before = data.copy()
    view = to_image_view(data, height=8, width=8, encoding=encoding, step=step)
    bgr = to_bgr(view)
    assert bgr.shape == (8, 8, 3)
    assert bgr.dtype == np.uint8
    assert bgr.flags.c_contiguous
    bgr[:] = 0
    assert np.array_equal(data, before)


@pytest.mark.parametrize(
    ('encoding', 'code'),
    [
        ('bgr8', None),
        ('rgb8', cv2.COLOR_RGB2BGR),
        ('bgra8', cv2.COLOR_BGRA2BGR),
        ('mono8', cv2.COLOR_GRAY2BGR),
        ('yuv422', cv2.COLOR_YUV2BGR_UYVY),
        ('bayer_grbg8', cv2.COLOR_BayerGB2BGR),
    ],
)
def test_colours_are_those_of_opencv(encoding, code):
    step = 8 * ENCODINGS[encoding].pixel_bytes
    data = np.random.default_rng(0).bytes(step * 8)
    view = to_image_view(data, height=8, width=8, encoding=encoding, step=step)
    pixels = view.planes[0]
    expected = pixels if code is None else cv2.cvtColor(pixels, code)
    assert np.array_equal(to_bgr(view), expected)
