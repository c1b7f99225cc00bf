"""Random pictures of every encoding, and the plain way to a network's colours."""

import cv2
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import to_image_view
from dla_ros.tensors.format import DataType
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest

CODES = {
    'uyvy': ('YUV2RGB_UYVY', 'YUV2GRAY_UYVY'),
    'yuyv': ('YUV2RGB_YUYV', 'YUV2GRAY_YUYV'),
    'y+uv': ('YUV2RGB_NV12', 'YUV2GRAY_NV12'),
    'y+vu': ('YUV2RGB_NV21', 'YUV2GRAY_NV21'),
    # As in cv_bridge's table.
    'rggb': ('BayerBG2RGB', 'BayerBG2GRAY'),
    'bggr': ('BayerRG2RGB', 'BayerRG2GRAY'),
    'gbrg': ('BayerGR2RGB', 'BayerGR2GRAY'),
    'grbg': ('BayerGB2RGB', 'BayerGB2GRAY'),
    'rgb': ('', 'RGB2GRAY'),
    'bgr': ('BGR2RGB', 'BGR2GRAY'),
    'rgba': ('RGBA2RGB', 'RGBA2GRAY'),
    'bgra': ('BGRA2RGB', 'BGRA2GRAY'),
    'y': ('GRAY2RGB', ''),
}


@pytest.fixture(scope='session')
def picture():
    """Make a random image view of an encoding, with junk behind each row."""

    def make(encoding, height, width, seed=0, junk=0, is_bigendian=False):
        known = ENCODINGS[encoding]
        rng = np.random.default_rng(seed)
        step = width * known.pixel_bytes + junk
        rows = height * 3 // 2 if known.is_semi_planar else height
        return to_image_view(
            rng.bytes(step * rows),
            height=height,
            width=width,
            encoding=encoding,
            step=step,
            is_bigendian=is_bigendian,
        )

    return make


@pytest.fixture(scope='session')
def network_pixels():
    """Give (h, w, c) uint8 in the network's colours by copying and one OpenCV conversion."""

    def convert(image, network_encoding):
        pixels = np.vstack([plane.reshape(-1, plane[0].size) for plane in image.planes])
        pixels = pixels.reshape(-1, *image.planes[0].shape[1:])
        if pixels.dtype.itemsize == 2:
            pixels = ((pixels.astype(int) * 255 + 32767) // 65535).astype(np.uint8)
        code = CODES[ENCODINGS[image.encoding].order][network_encoding == 'mono8']
        if code:
            pixels = cv2.cvtColor(pixels, getattr(cv2, f'COLOR_{code}'))
        pixels = pixels.reshape(image.height, image.width, -1)
        return pixels[:, :, ::-1] if network_encoding == 'bgr8' else pixels

    return convert


@pytest.fixture(scope='session')
def sampled_by_the_rule():
    """Scale (h, w, c) uint8 by the rule in the docstring of ``sample``, in NumPy."""

    def axis(have, want):
        x = (1 / (want / have)) * (np.arange(want) + 0.5) - 0.5
        first = np.floor(x).astype(int)
        weight = np.rint((x - first) * 256).astype(int)
        weight[(first < 0) | (first >= have - 1)] = 0
        return np.clip(first, 0, have - 1), np.clip(first + 1, 0, have - 1), weight

    def scale(pixels, height, width):
        j, k, b = axis(pixels.shape[1], width)
        b = b[:, np.newaxis]
        t = (256 - b) * pixels[:, j].astype(int) + b * pixels[:, k]
        j, k, b = axis(pixels.shape[0], height)
        b = b[:, np.newaxis, np.newaxis]
        v = (256 - b) * t[j] + b * t[k]
        return ((v + 32768) >> 16).astype(np.uint8)

    return scale


@pytest.fixture(scope='session')
def make_spec():
    """Lay out a network input of a form (type, layout); int8 gets a scale."""

    def make(form, height, width, channels=3):
        scale = 0.0187 if form[0] is DataType.INT8 else None
        return lay_out('images', (1, channels, height, width), *form, scale)

    return make


@pytest.fixture(scope='session')
def prepared():
    """Give what is written over junk, so that nothing may be left out."""

    def prepare(preprocessor, spec, image):
        out = np.full(spec.size, 0x5A, np.uint8)
        preprocessor.prepare(image, out)
        return out

    return prepare
