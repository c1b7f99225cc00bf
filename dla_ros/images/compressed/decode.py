"""The bytes of a compressed picture to an image view: looked through first, then decoded."""

import sys
from typing import Any

import cv2
from dla_ros.errors import ImageError
from dla_ros.images.compressed import jpeg, png
from dla_ros.images.compressed.flaw import FlawError
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import ImageView, MAX_PIXELS
import numpy as np
from numpy.typing import NDArray

# Colour or grey and 8 or 16 bits as the file has it, alpha left out. A camera's picture has no
# EXIF orientation; one that has it is not turned, so that boxes fit the pixels as they were sent.
_FLAGS = cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION

# sensor_msgs/image_encodings.hpp isColor(), as far as 8 and 16 bits go
_COLOURS = {f'{order}{bits}' for order in ('rgb', 'bgr', 'rgba', 'bgra') for bits in (8, 16)}


def decode(data: Any, format: str, max_pixels: int = MAX_PIXELS) -> ImageView:
    """
    Decode the fields of a ``sensor_msgs/CompressedImage`` that holds a JPEG or a PNG.

    ``format`` is 'jpeg', 'png' or the longer form of compressed_image_transport, 'rgb8; jpeg
    compressed bgr8'; from the long one comes the encoding of a picture that was compressed as a
    Bayer mosaic, and the order of colours where a publisher left it unconverted. Which
    compression it is, the bytes tell. Raise ImageError for other formats, for pictures of more
    than ``max_pixels`` and for those that are broken or cut off, mostly before anything is
    decoded; a JPEG with wrong bits in the middle still decodes, to wrong pixels.
    """
    content = bytes(data)
    try:
        checked = _check(content, max_pixels)
    except FlawError as flaw:
        raise ImageError(f'{_name(content, format)} {flaw}') from None
    try:
        picture = cv2.imdecode(np.frombuffer(checked, np.uint8), _FLAGS)
    except cv2.error as err:
        raise ImageError(f'{_name(content, format)}: OpenCV cannot decode it: {err}') from err
    if picture is None:
        raise ImageError(f'{_name(content, format)} is broken: OpenCV cannot decode it')
    return _to_view(picture, format)


def _check(content: bytes, max_pixels: int) -> bytes:
    """Return what is to be decoded; raise FlawError, also for what OpenCV would fill with grey."""
    if content.startswith(jpeg.START):
        jpeg.check_jpeg(content, max_pixels)
        return content
    if content.startswith(png.START):
        return png.to_pixel_chunks(content, max_pixels)
    raise FlawError(
        f'starts with {content[:8].hex(" ") or "nothing"}: neither JPEG nor PNG, which are '
        "accepted; let the publisher use the compressed transport with format 'jpeg' or 'png'"
    )


def _to_view(picture: NDArray[Any], format: str) -> ImageView:
    if picture.dtype == np.uint16 and picture.ndim == 3:
        picture = cv2.convertScaleAbs(picture, alpha=255 / 65535)  # as cv_bridge narrows
    height, width = picture.shape[:2]
    encoding = _colour_encoding(format) if picture.ndim == 3 else _grey_encoding(picture, format)
    smallest = ENCODINGS[encoding].smallest
    if min(height, width) < smallest:
        raise ImageError(
            f'{encoding} picture of height {height}, width {width}, decoded from {format!r}: both '
            f'must be at least {smallest}'
        )
    is_bigendian = picture.dtype == np.uint16 and sys.byteorder == 'big'
    return ImageView(encoding, height, width, (picture,), is_bigendian)


def _colour_encoding(format: str) -> str:
    """Give the order of the decoded colours, by the rule of compressed_image_transport."""
    original, separator, compression = format.partition(';')
    is_unconverted = original.strip() in _COLOURS and 'compressed bgr' not in compression
    return 'rgb8' if separator and is_unconverted else 'bgr8'


def _grey_encoding(picture: NDArray[Any], format: str) -> str:
    if picture.dtype == np.uint16:
        return 'mono16'
    original = format.partition(';')[0].strip()
    is_mosaic = original.startswith('bayer_') and original in ENCODINGS
    return original if is_mosaic else 'mono8'


def _name(content: bytes, format: str) -> str:
    return f"compressed image of format '{format}' and {len(content)} bytes"
