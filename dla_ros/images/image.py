"""An image message looked at as arrays, without a copy."""

from dataclasses import dataclass
from typing import Any

from dla_ros.errors import ImageError
from dla_ros.images.encodings import Encoding, ENCODINGS
import numpy as np
from numpy.typing import NDArray

MAX_PIXELS = 1 << 25  # of one picture, unless a setting says otherwise: 8K has 33 177 600
_MOST_COUNTED = (1 << 31) - 1  # OpenCV and the kernels count bytes in an int of 32 bits
_MOST_CHANNELS = 4  # of what a picture is converted to


@dataclass(frozen=True, eq=False)
class ImageView:
    """
    Hold the pixels of one image where they are.

    ``planes`` are views into the message's bytes and keep those alive. The first has shape
    (height, width, channels), or (height, width) for one channel; rows may be further apart than
    their pixels need. nv12 and nv21 have a second one, chroma, (height / 2, width / 2, 2). Types
    are uint8, or uint16 in the byte order of the message for mono16. ``encoding`` is a name of
    ``ENCODINGS``. Raise ImageError for planes that are not so: what reads them trusts them.
    """

    encoding: str
    height: int
    width: int
    planes: tuple[NDArray[Any], ...]
    is_bigendian: bool = False

    def __post_init__(self) -> None:
        """Compare the planes with encoding and size."""
        known = find_encoding(self.encoding)
        if not _is_size_sound(known, self.height, self.width):
            raise ImageError(_explain_size(self.encoding, known, self.height, self.width))
        if not _are_planes_sound(known, self):
            raise ImageError(_explain_planes(known, self))
        if not _is_countable(self):
            raise ImageError(_explain_count(self))

    @property
    def height_width(self) -> tuple[int, int]:
        """Give the size (height, width) in pixels."""
        return self.height, self.width


def to_image_view(
    data: Any, *, height: int, width: int, encoding: str, step: int, is_bigendian: bool = False
) -> ImageView:
    """
    View the fields of a ``sensor_msgs/Image`` as pixels, without a copy.

    ``data`` is anything with contiguous bytes (array.array, bytes, memoryview, uint8 ndarray).
    ``step`` is the bytes from row to row, any number that is enough; what lies behind the pixels
    of a row is never read. Raise ImageError for an encoding that is not known and for sizes that
    contradict each other.
    """
    known = find_encoding(encoding)
    nbytes = memoryview(data).nbytes
    is_sound = step >= width * known.pixel_bytes and nbytes == step * _rows(known, height)
    if not (is_sound and _is_size_sound(known, height, width)):
        raise ImageError(_explain(encoding, known, height, width, step, nbytes))
    planes = _to_planes(known, data, height, width, step, is_bigendian)
    return ImageView(encoding, height, width, planes, is_bigendian)


def check_pixels(image: ImageView, max_pixels: int) -> ImageView:
    """Return the image; raise ImageError where it has more pixels than wanted."""
    pixels = image.height * image.width
    if pixels > max_pixels:
        raise ImageError(
            f'{image.encoding} image of height {image.height}, width {image.width}: {pixels} '
            f'pixels, and at most {max_pixels} are read; if it is meant to be so large, raise '
            'max_image_pixels'
        )
    return image


def find_encoding(name: str) -> Encoding:
    """Return the row of ``ENCODINGS`` for a name; raise ImageError for one that is not there."""
    known = ENCODINGS.get(name)
    if known is None:
        raise ImageError(f"image encoding '{name}' is not known; accepted: {', '.join(ENCODINGS)}")
    return known


def element_type(known: Encoding, is_bigendian: bool) -> 'np.dtype[Any]':
    """Return the NumPy type of an encoding's elements."""
    if known.itemsize == 1:
        return _BYTE
    return _BIG if is_bigendian else _LITTLE


_BYTE, _LITTLE, _BIG = np.dtype('u1'), np.dtype('<u2'), np.dtype('>u2')


def _to_planes(
    known: Encoding, data: Any, height: int, width: int, step: int, is_bigendian: bool
) -> tuple[NDArray[Any], ...]:
    dtype = element_type(known, is_bigendian)
    if known.channels > 1:
        shape: tuple[int, ...] = (height, width, known.channels)
        strides: tuple[int, ...] = (step, known.pixel_bytes, known.itemsize)
    else:
        shape, strides = (height, width), (step, known.itemsize)
    first: NDArray[Any] = np.ndarray(shape, dtype, data, strides=strides)
    if not known.is_semi_planar:
        return (first,)
    return first, np.ndarray(
        _chroma_shape(height, width), dtype, data, step * height, (step, 2, 1)
    )


def _chroma_shape(height: int, width: int) -> tuple[int, int, int]:
    return height // 2, width // 2, 2


def _rows(known: Encoding, height: int) -> int:
    """Give the rows of a message: half as many again where a plane of chroma follows."""
    return height * 3 // 2 if known.is_semi_planar else height


def _is_size_sound(known: Encoding, height: int, width: int) -> bool:
    """Tell whether an encoding allows the size, quickly: this runs for every frame."""
    return (
        height >= known.smallest
        and width >= known.smallest
        and height % known.multiple_of[0] == 0
        and width % known.multiple_of[1] == 0
    )


def _are_planes_sound(known: Encoding, image: ImageView) -> bool:
    """Tell whether the planes are what the encoding says, quickly."""
    size, dtype = (image.height, image.width), element_type(known, image.is_bigendian)
    shape = size if known.channels == 1 else (*size, known.channels)
    planes = image.planes
    if not known.is_semi_planar:
        return len(planes) == 1 and _is_plane(planes[0], shape, dtype)
    return (
        len(planes) == 2
        and _is_plane(planes[0], shape, dtype)
        and _is_plane(planes[1], _chroma_shape(*size), dtype)
    )


def _is_plane(plane: Any, shape: tuple[int, ...], dtype: 'np.dtype[Any]') -> bool:
    """Tell whether rows of a shape lie at least their own length apart, pixels close together."""
    if not isinstance(plane, np.ndarray) or plane.shape != shape or plane.dtype != dtype:
        return False
    row = plane[0]
    return row.flags.c_contiguous and (len(plane) == 1 or plane.strides[0] >= row.nbytes)


def _is_countable(image: ImageView) -> bool:
    """Tell whether every byte of the planes, and of what they become, has a number of 31 bits."""
    return image.height * image.width <= _MOST_COUNTED // _MOST_CHANNELS and all(
        len(plane) * plane.strides[0] <= _MOST_COUNTED for plane in image.planes
    )


def _explain(
    encoding: str, known: Encoding, height: int, width: int, step: int, nbytes: int
) -> str:
    """Say which number is wrong and what would be right."""
    if not _is_size_sound(known, height, width):
        return _explain_size(encoding, known, height, width)
    head = f'{encoding} image of height {height}, width {width}:'
    needed = width * known.pixel_bytes
    if step < needed:
        return f'{head} step is {step}, a row has {width} x {known.pixel_bytes} = {needed} bytes'
    rows = _rows(known, height)
    return (
        f'{head} data has {nbytes} bytes; step {step} x {rows} rows = {step * rows} would be right'
    )


def _explain_size(encoding: str, known: Encoding, height: int, width: int) -> str:
    head = f'{encoding} image of height {height}, width {width}:'
    if height < known.smallest or width < known.smallest:
        return f'{head} both must be at least {known.smallest}'
    units = {'height': (height, known.multiple_of[0]), 'width': (width, known.multiple_of[1])}
    side, unit = next((side, unit) for side, (size, unit) in units.items() if size % unit)
    return f'{head} the {side} must be a multiple of {unit}, chroma is shared'


def _explain_count(image: ImageView) -> str:
    pixels, step = image.height * image.width, image.planes[0].strides[0]
    return (
        f'{image.encoding} image of height {image.height}, width {image.width}: {pixels} pixels '
        f'in rows {step} bytes apart are more than can be counted; at most '
        f'{_MOST_COUNTED // _MOST_CHANNELS} pixels and {_MOST_COUNTED} bytes of rows can'
    )


def _explain_planes(known: Encoding, image: ImageView) -> str:
    size = (image.height, image.width)
    wanted = [size if known.channels == 1 else (*size, known.channels)]
    if known.is_semi_planar:
        wanted.append(_chroma_shape(*size))
    shown = ', '.join(
        f'{plane.dtype}{plane.shape} with steps {plane.strides}'
        if isinstance(plane, np.ndarray)
        else type(plane).__name__
        for plane in image.planes
    )
    return (
        f'{image.encoding} image of height {image.height}, width {image.width}: its planes are '
        f'{shown or "none"}; right are {", ".join(map(str, wanted))} of '
        f'{element_type(known, image.is_bigendian)}, the pixels of a row side by side'
    )
