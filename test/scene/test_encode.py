import cv2
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import to_image_view
from dla_ros.scene.encode import encode, ENCODERS
import numpy as np
import pytest

# OpenCV's conversion back to RGB, as a second opinion; how exact it can be on smooth colours.
BACK = {
    'rgb8': (None, 0), 'bgr8': (cv2.COLOR_BGR2RGB, 0), 'rgba8': (cv2.COLOR_RGBA2RGB, 0),
    'bgra8': (cv2.COLOR_BGRA2RGB, 0), '8UC3': (cv2.COLOR_BGR2RGB, 0),
    '8UC4': (cv2.COLOR_BGRA2RGB, 0),
    'uyvy': (cv2.COLOR_YUV2RGB_UYVY, 3), 'yuv422': (cv2.COLOR_YUV2RGB_UYVY, 3),
    'yuyv': (cv2.COLOR_YUV2RGB_YUYV, 3), 'yuv422_yuy2': (cv2.COLOR_YUV2RGB_YUYV, 3),
    'nv12': (cv2.COLOR_YUV2RGB_NV12, 3), 'nv21': (cv2.COLOR_YUV2RGB_NV21, 3),
    # OpenCV names a mosaic by its second row's second and third pixel.
    'bayer_rggb8': (cv2.COLOR_BayerBG2RGB, 2), 'bayer_bggr8': (cv2.COLOR_BayerRG2RGB, 2),
    'bayer_gbrg8': (cv2.COLOR_BayerGR2RGB, 2), 'bayer_grbg8': (cv2.COLOR_BayerGB2RGB, 2),
}  # fmt: skip
GREY = ('mono8', '8UC1', 'mono16')


@pytest.fixture
def patches():
    """Give a picture of large patches: colour that neighbours share survives every encoding."""
    colours = np.random.default_rng(0).integers(0, 256, (4, 5, 3), np.uint8)
    return np.kron(colours, np.ones((16, 16, 1), np.uint8))


def inner(picture):
    """Leave out what lies within 3 pixels of another patch."""
    keep = [i for i in range(16) if 3 <= i < 13]
    tiles = picture.reshape(picture.shape[0] // 16, 16, picture.shape[1] // 16, 16, -1)
    return tiles[:, keep][:, :, :, keep].astype(int)


def test_every_encoding_that_is_read_can_be_written():
    assert set(ENCODERS) == set(ENCODINGS) == {*BACK, *GREY}


@pytest.mark.parametrize('encoding', BACK)
def test_opencv_reads_the_colours_back(patches, encoding):
    data, step = encode(patches, encoding)
    code, tolerance = BACK[encoding]
    rows = np.frombuffer(data, np.uint8).reshape(-1, step)
    width = patches.shape[1]
    picture = rows if step == width else rows.reshape(len(rows), width, -1)
    back = picture if code is None else cv2.cvtColor(picture, code)
    np.testing.assert_allclose(inner(back), inner(patches), atol=tolerance)


@pytest.mark.parametrize('encoding', GREY)
def test_grey_is_opencvs_grey(patches, encoding):
    data, step = encode(patches, encoding)
    dtype = '<u2' if encoding == 'mono16' else np.uint8
    grey = np.frombuffer(data, dtype).reshape(patches.shape[:2]) // (257 if step > 80 else 1)
    np.testing.assert_allclose(grey, cv2.cvtColor(patches, cv2.COLOR_RGB2GRAY), atol=1)


@pytest.mark.parametrize('encoding', ENCODERS)
def test_padded_rows_hold_the_same_pixels_and_junk(patches, encoding):
    plain, step = encode(patches, encoding)
    data, padded_step = encode(patches, encoding, pad=7)
    assert padded_step == step + 7
    rows = np.frombuffer(data, np.uint8).reshape(-1, padded_step)
    assert (rows[:, step:] == 0xAA).all()
    assert rows[:, :step].tobytes() == plain


@pytest.mark.parametrize('encoding', ENCODERS)
def test_the_message_is_one_that_the_image_view_accepts(patches, encoding):
    height, width = patches.shape[:2]
    data, step = encode(patches, encoding, pad=12)
    view = to_image_view(data, height=height, width=width, encoding=encoding, step=step)
    assert view.height_width == (height, width)
