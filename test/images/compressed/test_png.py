"""PNGs that claim more than there is, or hold what no pixel needs."""

import struct
import zlib

import cv2
from dla_ros.errors import ImageError
from dla_ros.images.compressed import decode
import numpy as np
import pytest

START = b'\x89PNG\r\n\x1a\n'


def chunk(name, data, length=None):
    length = len(data) if length is None else length
    return struct.pack('>I', length) + name + data + struct.pack('>I', zlib.crc32(name + data))


def header(height, width, depth=8, colour=0):
    return chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, 0))


def png(height=16, width=16, *extra, depth=8, colour=0, pixels=None):
    if pixels is None:
        pixels = zlib.compress(bytes(height * (width + 1)))
    end = chunk(b'IEND', b'')
    head = header(height, width, depth, colour)
    return START + head + b''.join(extra) + chunk(b'IDAT', pixels) + end


def refusal(content, **limit):
    with pytest.raises(ImageError) as caught:
        decode(content, 'png', **limit)
    return str(caught.value)


def test_a_large_header_with_no_rows_behind_it_decodes_no_pixel(decoded):
    text = refusal(png(32767, 32767, colour=2, pixels=zlib.compress(bytes(3000))))
    assert 'has height 32767, width 32767: 1073676289 pixels, and at most 33554432' in text
    assert decoded == []


@pytest.mark.parametrize(('colour', 'channels'), [(0, 1), (2, 3), (4, 2), (6, 4)])
@pytest.mark.parametrize('depth', [8, 16])
def test_rows_that_cannot_be_in_so_few_bytes_are_cut_off(decoded, colour, channels, depth):
    nbytes = 512 * 512 * channels * depth // 8
    content = png(512, 512, colour=colour, depth=depth, pixels=bytes(nbytes // 1032 - 1))
    assert f'bytes cannot hold {nbytes} bytes of pixels' in refusal(content)
    assert decoded == []


@pytest.mark.parametrize('claimed', [2**31 - 20, 2**32 - 1, 25])
def test_a_chunk_longer_than_the_file_is_cut_off(decoded, claimed):
    content = START + header(16, 16) + chunk(b'IDAT', bytes(8), claimed) + chunk(b'IEND', b'')
    assert f"its chunk 'IDAT' has {claimed} bytes, 20 are there" in refusal(content)
    assert decoded == []


def test_the_limit_itself_is_decoded_and_one_pixel_less_is_not_enough():
    assert decode(png(), 'png', 256).height_width == (16, 16)
    assert 'at most 255 are decoded' in refusal(png(), max_pixels=255)


@pytest.mark.parametrize('size', [(0, 16), (16, 0)])
def test_a_picture_without_pixels_is_broken(size):
    assert 'is broken: its height' in refusal(png(*size))


@pytest.mark.parametrize(('depth', 'colour'), [(8, 1), (8, 5), (3, 0), (0, 2)])
def test_pixels_of_no_known_kind_are_broken(depth, colour):
    assert f'{depth} bits of colour type {colour}' in refusal(png(depth=depth, colour=colour))


def test_a_png_that_starts_with_another_chunk_is_broken():
    content = START + chunk(b'tEXt', b'a\0b') + png()[8:]
    assert 'does not start with its header' in refusal(content)


def test_wrong_bits_are_told_by_us_and_not_by_libpng(capfd, decoded):
    content = bytearray(png(colour=0))
    content[-20] ^= 1
    assert 'the bits of its chunk IDAT' in refusal(bytes(content))
    assert decoded == []
    assert capfd.readouterr().err == ''


def test_texts_and_profiles_are_not_unfolded(decoded, capfd):
    text = chunk(b'zTXt', b'bomb\0\0' + zlib.compress(bytes(7_000_000), 9))
    profile = chunk(b'iCCP', b'x\0\0' + zlib.compress(bytes(7_000_000), 9))
    plain = png()
    view = decode(png(16, 16, profile, *[text] * 50), 'png')
    assert decoded == [plain]
    assert np.array_equal(view.planes[0], np.zeros((16, 16), np.uint8))
    assert capfd.readouterr().err == ''


@pytest.mark.parametrize('channels', [1, 3, 4])
@pytest.mark.parametrize('bits', [1, 8, 16])
def test_whatever_an_encoder_writes_is_decoded(channels, bits, decoded):
    for size in [(1, 1), (7, 9), (33, 100)]:
        shape = (*size, channels)[: 2 if channels == 1 else 3]
        if bits == 1 and channels > 1:
            continue
        picture = np.zeros(shape, np.uint16 if bits == 16 else np.uint8)
        options = [cv2.IMWRITE_PNG_BILEVEL, 1] if bits == 1 else []
        content = cv2.imencode('.png', picture, options)[1].tobytes()
        assert decode(content, 'png', size[0] * size[1]).height_width == size
        assert decoded[-1] == content, 'nothing was copied'
