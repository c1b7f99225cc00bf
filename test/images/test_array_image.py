"""What a caller hands over as an image: looked at where it is, or refused with one sentence."""

from dla_ros.errors import ImageError
from dla_ros.images.array_image import load_image, to_image
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import element_type, ImageView, to_image_view
import numpy as np
import pytest

HEIGHT, WIDTH = 8, 12


def array_of(encoding, is_bigendian=False):
    """Give an array of an encoding, as OpenCV and NumPy users have it."""
    known = ENCODINGS[encoding]
    rows = HEIGHT * 3 // 2 if known.is_semi_planar else HEIGHT
    shape = (rows, WIDTH) if known.channels == 1 else (rows, WIDTH, known.channels)
    return np.arange(np.prod(shape)).astype(element_type(known, is_bigendian)).reshape(shape)


@pytest.mark.parametrize(('shape', 'encoding'), [((8, 12, 3), 'bgr8'), ((8, 12), 'mono8')])
def test_colour_is_blue_first_and_two_sizes_are_grey(shape, encoding):
    view = to_image(np.zeros(shape, np.uint8))
    assert (view.encoding, view.height_width) == (encoding, (8, 12))


@pytest.mark.parametrize('encoding', ENCODINGS)
def test_an_array_of_every_encoding_is_what_its_message_is(encoding):
    array = array_of(encoding)
    view = to_image(array, encoding)
    step = WIDTH * ENCODINGS[encoding].pixel_bytes
    message = to_image_view(
        array.tobytes(), height=HEIGHT, width=WIDTH, encoding=encoding, step=step
    )
    assert len(view.planes) == len(message.planes)
    for plane, wanted in zip(view.planes, message.planes, strict=True):
        np.testing.assert_array_equal(plane, wanted)
        assert np.shares_memory(plane, array)


def test_words_of_the_other_byte_order_are_read_in_it():
    array = array_of('mono16', is_bigendian=True)
    view = to_image(array, 'mono16')
    assert view.is_bigendian
    np.testing.assert_array_equal(view.planes[0], array)


def test_an_array_that_cannot_be_written_is_read():
    array = np.zeros((8, 12, 3), np.uint8)
    array.flags.writeable = False
    assert to_image(array).height_width == (8, 12)


def test_an_image_view_is_taken_as_it_is():
    view = to_image(np.zeros((8, 12, 3), np.uint8))
    assert to_image(view) is view
    assert to_image(view, 'bgr8') is view
    with pytest.raises(ImageError, match="an image view of bgr8 cannot be read as 'rgb8'"):
        to_image(view, 'rgb8')


COLOUR = np.zeros((8, 12, 3), np.uint8)
REFUSED = {
    'a path': ('street.jpg', '', r'got a str; an image is .* \(height, width, 3\)'),
    'nothing': (None, '', 'got None; an image is'),
    'a list': ([[1, 2], [3, 4]], '', 'got a list; an image is'),
    'floats': (COLOUR.astype(np.float32), '', r'float32\(8, 12, 3\); bgr8 is made of uint8'),
    'words': (COLOUR.astype(np.uint16), '', r'uint16\(8, 12, 3\); bgr8 is made of uint8'),
    'truths': (np.zeros((8, 12), bool), '', r'bool\(8, 12\); mono8 is made of uint8'),
    'bytes as mono16': (np.zeros((8, 12), np.uint8), 'mono16', 'mono16 is made of uint16'),
    'channels first': (np.zeros((3, 8, 12), np.uint8), '', r'uint8\(3, 8, 12\); an image is'),
    'alpha': (np.zeros((8, 12, 4), np.uint8), '', 'Name the encoding of another'),
    'one channel apart': (np.zeros((8, 12, 1), np.uint8), '', r'uint8\(8, 12, 1\); an image is'),
    'a batch': (np.zeros((1, 8, 12, 3), np.uint8), '', r'uint8\(1, 8, 12, 3\); an image is'),
    'a row': (np.zeros(12, np.uint8), '', r'uint8\(12,\); an image is'),
    'a row as grey': (np.zeros(12, np.uint8), 'mono8', r'mono8 is \(height, width\)'),
    'a number': (np.array(7, np.uint8), '', r'uint8\(\); an image is'),
    'grey as colour': (np.zeros((8, 12), np.uint8), 'rgb8', r'rgb8 is \(height, width, 3\)'),
    'colour as grey': (COLOUR, 'mono8', r'mono8 is \(height, width\)'),
    'an unknown encoding': (COLOUR, 'hsv8', "encoding 'hsv8' is not known; accepted: rgb8"),
    'no pixels': (np.zeros((0, 12, 3), np.uint8), '', 'both must be at least 1'),
    'odd yuv': (np.zeros((8, 11, 2), np.uint8), 'uyvy', 'width must be a multiple of 2'),
    'nv12 without chroma': (np.zeros((8, 12), np.uint8), 'nv12', 'would be right|multiple of 2'),
    'mirrored': (COLOUR[:, ::-1], '', 'not contiguous; use numpy.ascontiguousarray'),
    'cropped': (np.zeros((9, 13, 3), np.uint8)[:8, :12], '', 'not contiguous'),
    'red first by a view': (COLOUR[..., ::-1], '', 'not contiguous'),
    'transposed': (np.asfortranarray(COLOUR), '', 'not contiguous'),
}


@pytest.mark.parametrize('case', REFUSED)
def test_what_is_no_image_is_refused_with_what_would_be(case):
    image, encoding, words = REFUSED[case]
    with pytest.raises(ImageError, match=words) as caught:
        to_image(image, encoding)
    assert '\n' not in str(caught.value)


def test_what_a_function_returns_is_looked_at_too():
    assert load_image(lambda: COLOUR).encoding == 'bgr8'
    with pytest.raises(ImageError, match='got None; an image is'):
        load_image(lambda: None)


def test_what_a_function_raises_is_an_image_error():
    def missing():
        return open('no such file')

    with pytest.raises(ImageError, match=r'could not be loaded: FileNotFoundError: .*no such'):
        load_image(missing)


def test_an_image_error_of_a_function_stays_as_it_is():
    error = ImageError('this camera is covered')

    def covered():
        raise error

    with pytest.raises(ImageError) as caught:
        load_image(covered)
    assert caught.value is error


BROKEN = {
    'an unknown encoding': ('hsv8', (COLOUR,)),
    'no plane': ('rgb8', ()),
    'a plane too many': ('rgb8', (COLOUR, COLOUR)),
    'no array': ('rgb8', (b'pixels',)),
    'another size': ('rgb8', (np.zeros((8, 11, 3), np.uint8),)),
    'another type': ('rgb8', (COLOUR.astype(np.int8),)),
    'pixels apart': ('rgb8', (np.zeros((8, 24, 3), np.uint8)[:, ::2],)),
    'rows upside down': ('rgb8', (COLOUR[::-1],)),
    'one row again and again': ('rgb8', (np.broadcast_to(COLOUR[:1], (8, 12, 3)),)),
    'the other byte order': ('mono16', (np.zeros((8, 12), '>u2'),)),
    'no chroma': ('nv12', (np.zeros((8, 12), np.uint8),)),
    'chroma of another size': (
        'nv12', (np.zeros((8, 12), np.uint8), np.zeros((4, 5, 2), np.uint8)),
    ),
}  # fmt: skip


@pytest.mark.parametrize('case', BROKEN)
def test_a_view_whose_planes_do_not_fit_cannot_be_made(case):
    encoding, planes = BROKEN[case]
    with pytest.raises(ImageError):
        ImageView(encoding, 8, 12, planes)


def test_a_view_says_what_its_planes_are_and_should_be():
    with pytest.raises(ImageError, match=r'are int8\(8, 12, 3\).*right are \(8, 12, 3\) of uint8'):
        ImageView('rgb8', 8, 12, (COLOUR.astype(np.int8),))


def test_rows_of_a_view_may_lie_apart():
    wide = np.zeros((8, 20, 3), np.uint8)
    assert ImageView('rgb8', 8, 12, (wide[:, :12],)).height_width == (8, 12)
