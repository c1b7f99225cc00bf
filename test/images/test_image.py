"""Image messages as arrays: nothing copied, nothing believed."""

import array
import gc
import weakref

from dla_ros.errors import ImageError
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import check_pixels, to_image_view
import numpy as np
import pytest


def rows_of(pixels, step, junk=0xAA):
    """Lay rows of bytes ``step`` apart, junk between them."""
    rows = pixels.reshape(len(pixels), -1).view(np.uint8)
    laid = np.full((len(rows), step), junk, np.uint8)
    laid[:, : rows.shape[1]] = rows
    return laid.tobytes()


def ramp(*shape, dtype=np.uint8):
    return (np.arange(np.prod(shape)) * 7 % 65521).astype(dtype).reshape(shape)


@pytest.mark.parametrize('junk', [0, 1, 3, 6, 8, 13])
def test_pixels_are_found_with_any_step(junk):
    pixels = ramp(4, 6, 3)
    step = 18 + junk
    view = to_image_view(rows_of(pixels, step), height=4, width=6, encoding='rgb8', step=step)
    assert np.array_equal(view.planes[0], pixels)
    assert view.height_width == (4, 6)


@pytest.mark.parametrize('encoding', ENCODINGS)
def test_every_encoding_is_viewed_without_a_copy(encoding):
    known = ENCODINGS[encoding]
    step = 8 * known.pixel_bytes + 5
    rows = 12 if known.is_semi_planar else 8
    data = array.array('B', bytes(step * rows))
    view = to_image_view(data, height=8, width=8, encoding=encoding, step=step)
    for plane in view.planes:
        assert not plane.any()
    data[0] = 7
    data[len(data) - step] = 9
    assert view.planes[0].reshape(-1)[0] == 7
    assert view.planes[-1][-1].reshape(-1)[0] == 9


@pytest.mark.parametrize('encoding', ['nv12', 'nv21'])
def test_chroma_is_a_second_plane_of_pairs(encoding):
    luma, chroma = ramp(4, 6), ramp(2, 6) + 100
    data = rows_of(np.vstack([luma, chroma]), 10)
    view = to_image_view(data, height=4, width=6, encoding=encoding, step=10)
    assert np.array_equal(view.planes[0], luma)
    assert np.array_equal(view.planes[1], chroma.reshape(2, 3, 2))


@pytest.mark.parametrize(('is_bigendian', 'dtype'), [(True, '>u2'), (False, '<u2')])
@pytest.mark.parametrize('step', [6, 7])
def test_sixteen_bits_are_read_in_the_byte_order_of_the_message(is_bigendian, dtype, step):
    pixels = ramp(2, 3, dtype=dtype) + 250
    view = to_image_view(
        rows_of(pixels.astype(dtype), step),
        height=2,
        width=3,
        encoding='mono16',
        step=step,
        is_bigendian=is_bigendian,
    )
    assert view.planes[0].tolist() == pixels.tolist()
    assert view.is_bigendian is is_bigendian


@pytest.mark.parametrize('kind', [bytes, bytearray, memoryview, lambda b: array.array('B', b)])
def test_any_buffer_of_bytes_will_do(kind):
    data = kind(bytes(range(12)))
    view = to_image_view(data, height=2, width=2, encoding='bgr8', step=6)
    assert view.planes[0][1, 1].tolist() == [9, 10, 11]


def test_a_slice_of_a_larger_message_at_an_odd_place_will_do():
    data = memoryview(bytes(range(100)))[7:19]
    view = to_image_view(data, height=2, width=2, encoding='bgr8', step=6)
    assert view.planes[0][0, 0].tolist() == [7, 8, 9]


def test_the_view_keeps_the_message_bytes_alive():
    data = array.array('B', bytes(range(12)))
    alive = weakref.ref(data)
    view = to_image_view(data, height=2, width=2, encoding='bgr8', step=6)
    del data
    gc.collect()
    assert alive() is not None
    assert view.planes[0].sum() == sum(range(12))
    del view
    gc.collect()
    assert alive() is None


def refusal(data, **fields):
    with pytest.raises(ImageError) as caught:
        to_image_view(data, **{'height': 8, 'width': 8, 'encoding': 'bgr8', 'step': 24, **fields})
    return str(caught.value)


@pytest.mark.parametrize('encoding', ['foo8', '16UC1', 'RGB8', '', 'rgb16', '32FC1'])
def test_an_unknown_encoding_is_named_with_the_accepted_list(encoding):
    text = refusal(bytes(192), encoding=encoding)
    assert f"'{encoding}'" in text
    assert all(known in text for known in ENCODINGS)


@pytest.mark.parametrize('nbytes', [0, 1, 24 * 8 - 1, 24 * 8 + 1, 24 * 9])
def test_a_wrong_number_of_bytes_is_told_with_the_right_one(nbytes):
    text = refusal(bytes(nbytes))
    assert f'data has {nbytes} bytes' in text
    assert 'step 24 x 8 rows = 192' in text


def test_a_step_too_small_is_told_with_the_bytes_of_a_row():
    assert 'step is 23, a row has 8 x 3 = 24 bytes' in refusal(bytes(23 * 8), step=23)
    assert 'step is 0, a row has 8 x 3 = 24 bytes' in refusal(b'', step=0)


@pytest.mark.parametrize(('height', 'width'), [(0, 8), (8, 0), (0, 0)])
def test_an_image_without_pixels_is_refused(height, width):
    text = refusal(bytes(24 * height), height=height, width=width)
    assert f'height {height}, width {width}' in text
    assert 'at least 1' in text


@pytest.mark.parametrize('encoding', ['yuv422', 'uyvy', 'yuv422_yuy2', 'yuyv'])
def test_pixels_that_share_chroma_come_in_pairs(encoding):
    text = refusal(bytes(24 * 8), encoding=encoding, width=7)
    assert 'width must be a multiple of 2' in text


@pytest.mark.parametrize(('height', 'width'), [(7, 8), (8, 7)])
def test_nv12_of_an_odd_size_is_refused(height, width):
    text = refusal(bytes(24 * 12), encoding='nv12', height=height, width=width)
    assert 'must be a multiple of 2' in text


def test_nv12_needs_half_as_many_rows_again():
    text = refusal(bytes(8 * 8), encoding='nv12', step=8)
    assert 'data has 64 bytes; step 8 x 12 rows = 96' in text


def test_a_mosaic_too_small_to_demosaic_is_refused():
    text = refusal(bytes(4), encoding='bayer_rggb8', height=2, width=2, step=2)
    assert 'at least 3' in text


@pytest.mark.parametrize(
    ('encoding', 'height', 'width', 'step'),
    [
        ('bayer_rggb8', 3, 3, 2**30),
        ('mono8', 1, 2**31, 2**31),
        ('mono8', 2, 1, 2**30),
        ('mono8', 1, 2**29, 2**29),
        ('nv12', 2, 2, 2**30),
    ],
)
def test_more_bytes_than_an_int_counts_are_refused(encoding, height, width, step):
    rows = height * 3 // 2 if encoding == 'nv12' else height
    # memory that nobody wrote to is not there
    data = np.empty(step * rows, np.uint8)
    text = refusal(data, encoding=encoding, height=height, width=width, step=step)
    assert f'{height * width} pixels in rows {step} bytes apart' in text
    assert 'at most 536870911 pixels and 2147483647 bytes' in text


@pytest.mark.parametrize(
    ('encoding', 'height', 'width', 'step'),
    [('bayer_rggb8', 3, 3, (2**31 - 1) // 3), ('mono8', 1, 2**29 - 1, 2**29 - 1)],
)
def test_as_many_bytes_as_an_int_counts_are_taken(encoding, height, width, step):
    data = np.empty(step * height, np.uint8)
    view = to_image_view(data, height=height, width=width, encoding=encoding, step=step)
    assert view.height_width == (height, width)


def test_an_image_of_just_as_many_pixels_as_wanted_is_taken():
    view = to_image_view(bytes(12), height=3, width=4, encoding='mono8', step=4)
    assert check_pixels(view, 12) is view
    with pytest.raises(ImageError, match=r'at most 11 are read; .*max_image_pixels'):
        check_pixels(view, 11)
