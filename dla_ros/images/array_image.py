"""What a caller hands over as an image, checked at the door."""

from collections.abc import Callable
from functools import partial
from typing import Any

from dla_ros.errors import ImageError
from dla_ros.images.image import element_type, find_encoding, ImageView, to_image_view
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Image = ImageView | Array
Load = Callable[[], Image]

_RIGHT = (
    'an image is an ImageView or a NumPy array of uint8: (height, width, 3), blue first unless '
    'its encoding is named, or (height, width), grey'
)


def to_image(image: Any, encoding: str = '') -> ImageView:
    """
    View an image as ImageView, without a copy.

    An array (height, width, 3) is bgr8 and (height, width) mono8, unless ``encoding`` names
    another; nv12 and nv21 are (height * 3 / 2, width). Elements are uint8 (mono16: uint16) and
    lie one behind the other. Raise ImageError for anything else.
    """
    if isinstance(image, ImageView):
        if encoding not in {'', image.encoding}:
            raise ImageError(f"an image view of {image.encoding} cannot be read as '{encoding}'")
        return image
    if not isinstance(image, np.ndarray):
        raise ImageError(f'got {_name(image)}; {_RIGHT}')
    return _view(image, encoding or _usual_encoding(image))


def to_load(image: Image | Load, encoding: str = '') -> Load:
    """
    Return what loads an image when its turn comes: itself where it is a function.

    An image that is there already is looked at now; raise ImageError as :func:`to_image` does.
    """
    if callable(image):
        return partial(_loaded, image, encoding)
    view = to_image(image, encoding)
    return lambda: view


def is_one_image(array: Array) -> bool:
    """Tell whether an array is an image rather than a stack of them, (images, height, width)."""
    return array.ndim < 3 or (array.ndim == 3 and array.shape[2] in {2, 3, 4})


def load_image(load: Load) -> ImageView:
    """Call what loads an image; whatever it raises or returns in place of one is an ImageError."""
    try:
        image = load()
    except ImageError:
        raise
    except Exception as error:
        raise ImageError(
            f'an image could not be loaded: {type(error).__name__}: {error}'
        ) from error
    return image if isinstance(image, ImageView) else to_image(image)


def _loaded(load: Load, encoding: str) -> ImageView:
    return to_image(load(), encoding)


def _usual_encoding(array: Array) -> str:
    encoding = {(): 'mono8', (3,): 'bgr8'}.get(array.shape[2:])
    if encoding is None or array.ndim < 2:
        raise ImageError(f'got {_name(array)}; {_RIGHT}. Name the encoding of another')
    return encoding


def _view(array: Array, encoding: str) -> ImageView:
    known = find_encoding(encoding)
    is_bigendian = known.itemsize == 2 and array.dtype == element_type(known, True)
    wanted = element_type(known, is_bigendian)
    if array.dtype != wanted:
        raise ImageError(
            f'got {_name(array)}; {encoding} is made of {wanted}, from 0 to '
            f'{np.iinfo(wanted).max}: scale and convert it with astype'
        )
    channels = () if known.channels == 1 else (known.channels,)
    if array.ndim < 2 or array.shape[2:] != channels:
        shape = ', '.join(('height', 'width', *map(str, channels)))
        raise ImageError(f'got {_name(array)}; an array of {encoding} is ({shape})')
    if not array.flags.c_contiguous:
        raise ImageError(
            f'got {_name(array)} with steps {array.strides}, which is not contiguous; '
            'use numpy.ascontiguousarray(image)'
        )
    rows, width = array.shape[:2]
    return to_image_view(
        array,
        height=rows * 2 // 3 if known.is_semi_planar else rows,
        width=width,
        encoding=encoding,
        step=width * known.pixel_bytes,
        is_bigendian=is_bigendian,
    )


def _name(image: Any) -> str:
    if isinstance(image, np.ndarray):
        return f'an array {image.dtype}{image.shape}'
    return f'{image!r:.60}' if image is None else f'a {type(image).__name__}'
