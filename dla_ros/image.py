"""An image message looked at as arrays, without a copy."""

from dataclasses import dataclass
from typing import Any

from dla_ros.encodings import Encoding, ENCODINGS
from dla_ros.errors import ImageError
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ImageView:
    """
    Hold the pixels of one image where they are.

    ``planes`` are views into the message's bytes and keep those alive. The first has shape
    (height, width, channels), or (height, width) for one channel; rows may be further apart than
    their pixels need. nv12 and nv21 have a second one, chroma, (height / 2, width / 2, 2). Types
    are uint8, or uint16 in the byte order of the message for mono16. ``encoding`` is a name of
    ``ENCODINGS``.
    """

    encoding: str
    height: int
    width: int
    planes: tuple[NDArray[Any], ...]
    is_bigendian: bool = False

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
    known = ENCODINGS.get(encoding)
    if known is None:
        raise ImageError(
            f"image encoding '{encoding}' is not known; accepted: {', '.join(ENCODINGS)}"
        )
    nbytes = memoryview(data).nbytes
    if not _is_sound(known, height, width, step, nbytes):
        raise ImageError(_explain(encoding, known, height, width, step, nbytes))
    planes = _to_planes(known, data, height, width, step, is_bigendian)
    return ImageView(encoding, height, width, planes, is_bigendian)


def _to_planes(
    known: Encoding, data: Any, height: int, width: int, step: int, is_bigendian: bool
) -> tuple[NDArray[Any], ...]:
    dtype = np.dtype('u1' if known.itemsize == 1 else '>u2' if is_bigendian else '<u2')
    if known.channels > 1:
        shape: tuple[int, ...] = (height, width, known.channels)
        strides: tuple[int, ...] = (step, known.pixel_bytes, known.itemsize)
    else:
        shape, strides = (height, width), (step, known.itemsize)
    first: NDArray[Any] = np.ndarray(shape, dtype, data, strides=strides)
    if not known.is_semi_planar:
        return (first,)
    halves = (height // 2, width // 2, 2)
    return first, np.ndarray(halves, dtype, data, step * height, (step, 2, 1))


def _rows(known: Encoding, height: int) -> int:
    """Give the rows of a message: half as many again where a plane of chroma follows."""
    return height * 3 // 2 if known.is_semi_planar else height


def _is_sound(known: Encoding, height: int, width: int, step: int, nbytes: int) -> bool:
    """Tell whether the numbers fit, quickly: this runs for every frame."""
    return (
        height >= known.smallest
        and width >= known.smallest
        and height % known.multiple_of[0] == 0
        and width % known.multiple_of[1] == 0
        and step >= width * known.pixel_bytes
        and nbytes == step * _rows(known, height)
    )


def _explain(
    encoding: str, known: Encoding, height: int, width: int, step: int, nbytes: int
) -> str:
    """Say which number is wrong and what would be right."""
    head = f'{encoding} image of height {height}, width {width}:'
    if height < known.smallest or width < known.smallest:
        return f'{head} both must be at least {known.smallest}'
    units = {'height': (height, known.multiple_of[0]), 'width': (width, known.multiple_of[1])}
    for side, (size, unit) in units.items():
        if size % unit:
            return f'{head} the {side} must be a multiple of {unit}, chroma is shared'
    needed = width * known.pixel_bytes
    if step < needed:
        return f'{head} step is {step}, a row has {width} x {known.pixel_bytes} = {needed} bytes'
    rows = _rows(known, height)
    return (
        f'{head} data has {nbytes} bytes; step {step} x {rows} rows = {step * rows} would be right'
    )
