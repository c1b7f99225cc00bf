"""JPEG and PNG messages."""

import array
import struct

import cv2
from dla_ros.errors import ImageError
from dla_ros.images.compressed import decode
import numpy as np
import pytest


def smooth(*shape):
    rng = np.random.default_rng(4)
    small = rng.integers(0, 256, (6, 8, *shape[2:]), np.uint8)
    return cv2.resize(small, shape[1::-1], interpolation=cv2.INTER_LINEAR)


def encode(extension, picture):
    return cv2.imencode(extension, picture)[1].tobytes()


@pytest.mark.parametrize(
    'format',
    ['png', 'PNG', '', 'bgr8; png compressed bgr8', 'rgb8; png compressed bgr8', '8UC3; png'],
)
def test_a_colour_png_comes_back_to_the_bit(format):
    bgr = smooth(60, 80, 3)
    view = decode(encode('.png', bgr), format)
    assert (view.encoding, view.height, view.width) == ('bgr8', 60, 80)
    assert np.array_equal(view.planes[0], bgr)


@pytest.mark.parametrize('format', ['jpeg', 'jpg', 'rgb8; jpeg compressed bgr8'])
def test_a_jpeg_comes_back_nearly(format):
    bgr = smooth(60, 80, 3)
    view = decode(array.array('B', encode('.jpg', bgr)), format)
    assert view.encoding == 'bgr8'
    assert np.abs(view.planes[0].astype(int) - bgr).mean() < 4


def test_grey_stays_grey():
    grey = smooth(60, 80)
    view = decode(encode('.png', grey), 'mono8; png compressed ')
    assert view.encoding == 'mono8'
    assert np.array_equal(view.planes[0], grey)
    assert decode(encode('.jpg', grey), 'jpeg').encoding == 'mono8'


def test_sixteen_bits_of_grey_stay_sixteen():
    wide = smooth(60, 80).astype(np.uint16) * 257 + 1
    view = decode(encode('.png', wide), 'mono16; png compressed ')
    assert view.encoding == 'mono16'
    assert np.array_equal(view.planes[0], wide)


def test_sixteen_bits_of_colour_become_eight():
    bgr = smooth(60, 80, 3)
    view = decode(encode('.png', bgr.astype(np.uint16) * 257), 'rgb16; png compressed bgr16')
    assert view.encoding == 'bgr8'
    assert np.array_equal(view.planes[0], bgr)


def test_alpha_is_left_out():
    bgra = smooth(60, 80, 4)
    view = decode(encode('.png', bgra), 'bgra8; png compressed bgr8')
    assert view.encoding == 'bgr8'
    assert np.array_equal(view.planes[0], bgra[:, :, :3])


def test_a_compressed_mosaic_stays_a_mosaic():
    mosaic = smooth(60, 80)
    view = decode(encode('.png', mosaic), 'bayer_grbg8; png compressed ')
    assert view.encoding == 'bayer_grbg8'
    assert np.array_equal(view.planes[0], mosaic)


def test_colours_that_the_publisher_did_not_turn_are_named_as_they_are():
    rgb = smooth(60, 80, 3)
    view = decode(encode('.png', rgb), 'rgb8; png compressed rgb8')
    assert view.encoding == 'rgb8'
    assert np.array_equal(view.planes[0], rgb)


def test_a_jpeg_is_not_turned_by_its_exif():
    jpeg = encode('.jpg', smooth(60, 80, 3))
    entry = struct.pack('<HHII', 0x0112, 3, 1, 6)  # orientation: a quarter turn
    exif = b'Exif\0\0II*\0\x08\0\0\0\x01\0' + entry + b'\0\0\0\0'
    turned = jpeg[:2] + b'\xff\xe1' + struct.pack('>H', len(exif) + 2) + exif + jpeg[2:]
    assert cv2.imdecode(np.frombuffer(turned, np.uint8), cv2.IMREAD_COLOR).shape == (80, 60, 3)
    assert decode(turned, 'jpeg').height_width == (60, 80)


@pytest.mark.parametrize('extension', ['.jpg', '.png'])
@pytest.mark.parametrize('keep', [12, 0.1, 0.5, 0.99])
def test_a_picture_cut_off_is_refused(extension, keep):
    whole = encode(extension, smooth(60, 80, 3))
    cut = whole[: keep if keep > 1 else int(len(whole) * keep)]
    with pytest.raises(ImageError, match='cut off'):
        decode(cut, 'jpeg')


def test_an_end_mark_of_a_thumbnail_does_not_count():
    jpeg = encode('.jpg', smooth(60, 80, 3))
    thumbnail = b'Exif\0\0' + encode('.jpg', smooth(6, 8, 3))
    holder = b'\xff\xe1' + struct.pack('>H', len(thumbnail) + 2) + thumbnail
    whole = jpeg[:2] + holder + jpeg[2:]
    assert decode(whole, 'jpeg').height_width == (60, 80)
    with pytest.raises(ImageError, match='cut off'):
        decode(whole[:-40], 'jpeg')


def test_bytes_behind_the_end_of_a_jpeg_do_not_matter():
    jpeg = encode('.jpg', smooth(60, 80, 3))
    assert decode(jpeg + bytes(500), 'jpeg').height_width == (60, 80)


def test_a_png_with_wrong_bits_is_refused():
    png = bytearray(encode('.png', smooth(60, 80, 3)))
    png[200:300] = bytes(100)
    with pytest.raises(ImageError, match='broken'):
        decode(bytes(png), 'png')


@pytest.mark.parametrize(
    ('data', 'format'),
    [
        (b'', 'jpeg'),
        (b'\0' * 12 + b'\x89PNG\r\n\x1a\n', '32FC1; compressedDepth png'),
        (b'\0\0\0\x01\x67\x42', 'h264'),
        (b'BM' + bytes(60), 'bmp'),
    ],
)
def test_other_formats_are_named_with_what_is_accepted(data, format):
    with pytest.raises(ImageError, match='neither JPEG nor PNG') as caught:
        decode(data, format)
    assert f"'{format}'" in str(caught.value)
    assert f'{len(data)} bytes' in str(caught.value)


@pytest.mark.parametrize('size', [(1, 1), (2, 8), (8, 2)])
def test_a_mosaic_too_small_to_demosaic_is_refused(size):
    data = cv2.imencode('.png', np.full(size, 200, np.uint8))[1].tobytes()
    with pytest.raises(ImageError, match=r'bayer_rggb8 picture of height .* at least 3'):
        decode(data, 'bayer_rggb8; png compressed')
