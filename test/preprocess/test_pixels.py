"""Every encoding as 8-bit pixels of the network's colours."""

import cv2
from dla_ros.images.encodings import ENCODINGS
from dla_ros.preprocess.pixels import PixelSource
import numpy as np
import pytest

NETWORKS = ['rgb8', 'bgr8', 'mono8']
CONVERTED = {'yuv422', 'uyvy', 'yuv422_yuy2', 'yuyv', 'nv12', 'nv21', 'mono16'}


def picked(image, network):
    source = PixelSource.open(image, network)
    pixels = source.to_pixels(image).reshape(image.height, image.width, source.channels)
    return pixels[:, :, list(source.pick)]


@pytest.mark.parametrize('network', NETWORKS)
@pytest.mark.parametrize('encoding', ENCODINGS)
@pytest.mark.parametrize('junk', [0, 5])
def test_colours_are_those_of_opencv(picture, network_pixels, encoding, network, junk):
    image = picture(encoding, 12, 16, seed=3, junk=junk)
    assert np.array_equal(picked(image, network), network_pixels(image, network))


@pytest.mark.parametrize('is_bigendian', [False, True])
@pytest.mark.parametrize('junk', [0, 1, 2])
def test_sixteen_bits_are_narrowed_as_cv_bridge_does(picture, is_bigendian, junk):
    image = picture('mono16', 12, 16, junk=junk, is_bigendian=is_bigendian)
    expected = np.rint(image.planes[0] * (255 / 65535))
    assert np.array_equal(picked(image, 'mono8')[:, :, 0], expected)


def test_every_value_of_sixteen_bits_is_rounded_to_the_nearest(picture):
    image = picture('mono16', 256, 256)
    every = np.arange(65536, dtype='<u2').reshape(256, 256)
    whole = type(image)('mono16', 256, 256, (every,))
    nearest = (every.astype(int) * 255 + 32767) // 65535
    assert np.array_equal(picked(whole, 'mono8')[:, :, 0], nearest)


@pytest.mark.parametrize('encoding', [e for e in ENCODINGS if not e.startswith('bayer')])
def test_pixels_that_are_right_as_they_are_stay_where_they_are(picture, encoding):
    image = picture(encoding, 12, 16)
    pixels = PixelSource.open(image, 'rgb8').to_pixels(image)
    assert np.shares_memory(pixels, image.planes[0]) == (encoding not in CONVERTED)


@pytest.mark.parametrize('encoding', ['yuv422', 'yuyv', 'nv12', 'nv21', 'mono8'])
def test_luma_is_taken_where_it_lies(picture, encoding):
    image = picture(encoding, 12, 16)
    pixels = PixelSource.open(image, 'mono8').to_pixels(image)
    assert np.shares_memory(pixels, image.planes[0])


@pytest.mark.parametrize(
    ('encoding', 'first_row', 'second_row'),
    [
        ('bayer_rggb8', 'rg', 'gb'),
        ('bayer_bggr8', 'bg', 'gr'),
        ('bayer_gbrg8', 'gb', 'rg'),
        ('bayer_grbg8', 'gr', 'bg'),
    ],
)
def test_a_mosaic_of_one_colour_becomes_that_colour(picture, encoding, first_row, second_row):
    image = picture(encoding, 8, 8)
    colour = {'r': 200, 'g': 90, 'b': 30}
    tile = [[colour[each] for each in row] for row in (first_row, second_row)]
    flat = type(image)(encoding, 8, 8, (np.tile(np.array(tile, np.uint8), (4, 4)),))
    assert (picked(flat, 'rgb8') == [200, 90, 30]).all()


def test_limited_range_white_and_black_become_full_range(picture):
    image = picture('yuv422', 2, 2)
    uyvy = np.array([[[128, 235], [128, 235]], [[128, 16], [128, 16]]], np.uint8)
    view = type(image)('yuv422', 2, 2, (uyvy,))
    assert picked(view, 'rgb8')[:, 0].tolist() == [[255, 255, 255], [0, 0, 0]]
    assert picked(view, 'mono8')[:, 0].tolist() == [[235], [16]]


def test_grey_of_colour_is_opencvs_luma(picture):
    image = picture('bgr8', 12, 16)
    expected = cv2.cvtColor(image.planes[0], cv2.COLOR_BGR2GRAY)
    assert np.array_equal(picked(image, 'mono8')[:, :, 0], expected)
