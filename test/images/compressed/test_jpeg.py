"""JPEGs whose header promises more than there is: nothing of them is decoded."""

import re
import struct

import cv2
from dla_ros.errors import ImageError
from dla_ros.images.compressed import decode
from dla_ros.images.compressed.jpeg import PASSES
import numpy as np
import pytest

SCAN, END = b'\xff\xda', b'\xff\xd9'


def jpeg(height=64, width=64, colours=3, *options, noise=True):
    shape = (height, width, colours)[: 2 if colours == 1 else 3]
    rng = np.random.default_rng(height * width)
    picture = rng.integers(0, 256, shape, np.uint8) if noise else np.full(shape, 90, np.uint8)
    return cv2.imencode('.jpg', picture, list(options))[1].tobytes()


def progressive(**of):
    return jpeg(64, 64, 3, cv2.IMWRITE_JPEG_PROGRESSIVE, 1, **of)


def resized(content, height, width):
    """Write another size into the header."""
    at = re.search(rb'\xff[\xc0\xc2]\x00.\x08', content, re.DOTALL).end()
    return content[:at] + struct.pack('>HH', height, width) + content[at + 4 :]


def emptied(content):
    """Leave the header of the first scan, and none of its pixels."""
    at = content.index(SCAN)
    (length,) = struct.unpack_from('>H', content, at + 2)
    return content[: at + 2 + length] + END


def refusal(content, **limit):
    with pytest.raises(ImageError) as caught:
        decode(content, 'jpeg', **limit)
    return str(caught.value)


@pytest.mark.parametrize('make', [jpeg, progressive])
def test_a_large_header_with_nothing_behind_it_decodes_no_pixel(make, decoded):
    content = emptied(resized(make(), 16000, 16000))
    text = refusal(content)
    assert f"format 'jpeg' and {len(content)} bytes has height 16000, width 16000" in text
    assert '256000000 pixels, and at most 33554432 are decoded' in text
    assert 'raise max_image_pixels' in text
    assert decoded == []


@pytest.mark.parametrize('make', [jpeg, progressive])
def test_an_empty_scan_is_a_picture_cut_off(make, decoded):
    assert 'is cut off: a scan has 0 bytes' in refusal(emptied(make()))
    assert decoded == []


@pytest.mark.parametrize('make', [jpeg, progressive])
def test_a_scan_with_too_few_bytes_for_its_blocks_is_cut_off(make, decoded):
    content = resized(make(), 5600, 5600)
    assert re.search(r'is cut off: a scan has \d+ bytes, its \d+ blocks take', refusal(content))
    assert decoded == []


@pytest.mark.parametrize('make', [jpeg, progressive])
def test_the_limit_itself_is_decoded_and_one_pixel_less_is_not_enough(make):
    assert decode(make(), 'jpeg', 64 * 64).height_width == (64, 64)
    assert 'at most 4095 are decoded' in refusal(make(), max_pixels=64 * 64 - 1)


@pytest.mark.parametrize('size', [(0, 64), (64, 0)])
def test_a_picture_without_pixels_is_broken(size):
    assert 'is broken: its height' in refusal(resized(jpeg(), *size))


def test_a_scan_told_again_and_again_costs_no_more_than_its_bound(decoded):
    content = progressive()
    scans = [each.start() for each in re.finditer(SCAN, content)]
    again = content[scans[1] : scans[2]]
    few, many = (content[: scans[2]] + again * n + content[scans[2] :] for n in (3, 16 * PASSES))
    assert decode(few, 'jpeg', 64 * 64).height_width == (64, 64)
    assert len(decoded) == 1
    assert f'its scans go over its pixels more than {PASSES} times' in refusal(many)
    assert len(decoded) == 1


def test_a_picture_whose_colours_have_not_all_begun_is_cut_off():
    content = jpeg(16, 16, 3)
    at = content.index(SCAN)
    grey = b'\xff\xda\x00\x08\x01' + content[at + 5 : at + 7] + b'\x00\x3f\x00'
    cut = content[:at] + grey + content[at + 14 :]
    assert 'before the pixels of all its colours' in refusal(cut)


@pytest.mark.parametrize(
    ('change', 'words'),
    [
        (lambda c: c[:2] + END, 'is cut off: it ends before'),
        (lambda c: c.replace(b'\xff\xc0', b'\xff\xbf'), 'is broken: byte 158 is the mark ff bf'),
        (lambda c: c.replace(b'\xff\xc0\x00\x11', b'\xff\xc0\x00\x05'), 'header is too short'),
        (lambda c: c.replace(b'\xff\xc0\x00\x11', b'\xff\xc0\x7f\xff'), 'is cut off: 32767 bytes'),
        (lambda c: c.replace(b'\xff\xc0\x00\x11', b'\xff\xc0\x00\x01'), 'is cut off: 1 bytes'),
        (lambda c: c.replace(b'\x03\x01\x22', b'\x02\x01\x22'), 'is broken: it has 2 colours'),
        (lambda c: c.replace(b'\x03\x01\x22', b'\x03\x01\x25'), 'is sampled 1 to 5 times'),
        (lambda c: c.replace(b'\x03\x01\x22', b'\x03\x01\x02'), 'is sampled 0 to 2 times'),
        (lambda c: c.replace(b'\x0c\x03\x01', b'\x0c\x00\x01'), 'names no colours'),
        (lambda c: c.replace(b'\x0c\x03\x01', b'\x0c\x03\x09'), 'names no colours'),
        (lambda c: c.replace(b'\xff\xc0', b'\xff\xe9'), 'names no colours'),
    ],
)
def test_a_header_that_cannot_be_is_refused_before_decoding(change, words, decoded):
    content = change(jpeg())
    assert content != jpeg()
    assert words in refusal(content)
    assert decoded == []


@pytest.mark.parametrize('colours', [1, 3])
@pytest.mark.parametrize('is_progressive', [0, 1])
@pytest.mark.parametrize('is_optimised', [0, 1])
@pytest.mark.parametrize('restart', [0, 1])
@pytest.mark.parametrize('sampling', [0x411111, 0x221111, 0x211111, 0x111111])
def test_whatever_an_encoder_writes_is_decoded(
    colours, is_progressive, is_optimised, restart, sampling
):
    options = [
        (cv2.IMWRITE_JPEG_PROGRESSIVE, is_progressive),
        (cv2.IMWRITE_JPEG_OPTIMIZE, is_optimised),
        (cv2.IMWRITE_JPEG_RST_INTERVAL, restart),
        (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling),
    ]
    flat = [number for option in options for number in option]
    for size in [(1, 1), (7, 9), (8, 8), (17, 16), (33, 100)]:
        for noise in (False, True):  # pixels of one value take the fewest bits
            content = jpeg(*size, colours, *flat, noise=noise)
            most = size[0] * size[1] if size[0] > 8 else 4096
            assert decode(content, 'jpeg', most).height_width == size
