"""Any known encoding as plain 8-bit pixels: the conversions that cv_bridge users get."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
from dla_ros.images.encodings import Encoding, ENCODINGS
from dla_ros.images.image import ImageView
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Convert = Callable[[ImageView], Pixels]

# Four channels, although three are wanted: OpenCV resizes and demosaics them faster.
# The YUV codes are OpenCV's only ones: BT.601, limited range (luma 16..235).
_TO_BGRA = {
    'uyvy': cv2.COLOR_YUV2BGRA_UYVY,
    'yuyv': cv2.COLOR_YUV2BGRA_YUY2,
    'y+uv': cv2.COLOR_YUV2BGRA_NV12,
    'y+vu': cv2.COLOR_YUV2BGRA_NV21,
    # OpenCV names a mosaic by its second row from the second column on.
    'rggb': cv2.COLOR_BayerBG2BGRA,
    'bggr': cv2.COLOR_BayerRG2BGRA,
    'gbrg': cv2.COLOR_BayerGR2BGRA,
    'grbg': cv2.COLOR_BayerGB2BGRA,
}
_TO_GRAY = {
    'rgb': cv2.COLOR_RGB2GRAY,
    'bgr': cv2.COLOR_BGR2GRAY,
    'rgba': cv2.COLOR_RGBA2GRAY,
    'bgra': cv2.COLOR_BGRA2GRAY,
    'rggb': cv2.COLOR_BayerBG2GRAY,
    'bggr': cv2.COLOR_BayerRG2GRAY,
    'gbrg': cv2.COLOR_BayerGR2GRAY,
    'grbg': cv2.COLOR_BayerGB2GRAY,
}
# Where luma lies as it is. Like OpenCV's YUV2GRAY, which only picks it out.
_WITH_LUMA = {'y': 'y', 'uyvy': 'uy', 'yuyv': 'yu', 'y+uv': 'y', 'y+vu': 'y'}


@dataclass(frozen=True)
class PixelSource:
    """
    Turn the images of one encoding and size into 8-bit pixels that hold a network's channels.

    ``to_pixels`` gives (height, width, channels), or (height, width) for one channel, of uint8:
    the message's own memory where that will do, else a buffer of this object, overwritten by the
    next call. ``pick`` says which of ``channels`` are the network's, in the network's order.
    """

    to_pixels: Convert
    channels: int
    pick: tuple[int, ...]

    @classmethod
    def open(cls, image: ImageView, network_encoding: str) -> 'PixelSource':
        """Choose the cheapest way for images like ``image``; network: rgb8, bgr8 or mono8."""
        known = ENCODINGS[image.encoding]
        if network_encoding == 'mono8':
            order, convert = _luma(known, image.height_width)
            return cls(convert, len(order), (order.index('y'),))
        order, convert = _colour(known, image.height_width)
        colours = network_encoding.removesuffix('8')
        # A grey picture is the same in every channel.
        pick = (0, 0, 0) if order == 'y' else tuple(order.index(each) for each in colours)
        return cls(convert, len(order), pick)


def _luma(known: Encoding, size: tuple[int, int]) -> tuple[str, Convert]:
    if known.itemsize == 2:
        return 'y', _narrowing(size)
    if known.order in _WITH_LUMA:
        return _WITH_LUMA[known.order], _first_plane
    return 'y', _converting(_TO_GRAY[known.order], np.empty(size, np.uint8))


def _colour(known: Encoding, size: tuple[int, int]) -> tuple[str, Convert]:
    if known.itemsize == 2:
        return 'y', _narrowing(size)
    if known.order not in _TO_BGRA:
        return known.order, _first_plane
    converted = np.empty((*size, 4), np.uint8)
    if known.is_semi_planar:
        return 'bgra', _joining(_TO_BGRA[known.order], converted)
    return 'bgra', _converting(_TO_BGRA[known.order], converted)


def _first_plane(image: ImageView) -> Pixels:
    return image.planes[0]


def _converting(code: int, converted: Pixels) -> Convert:
    def convert(image: ImageView) -> Pixels:
        cv2.cvtColor(image.planes[0], code, dst=converted)
        return converted

    return convert


def _joining(code: int, converted: Pixels) -> Convert:
    def convert(image: ImageView) -> Pixels:
        cv2.cvtColorTwoPlane(image.planes[0], image.planes[1], code, dst=converted)
        return converted

    return convert


def _narrowing(size: tuple[int, int]) -> Convert:
    """Make 8 bits of 16 as cv_bridge does: value * 255 / 65535, rounded."""
    narrow = np.empty(size, np.uint8)
    native: NDArray[Any] | None = None

    def convert(image: ImageView) -> Pixels:
        nonlocal native
        wide = image.planes[0]
        if not (wide.dtype.isnative and wide.flags.aligned):
            # OpenCV reads foreign byte order and odd steps wrongly, without a word.
            if native is None:
                native = np.empty(size, np.uint16)
            np.copyto(native, wide)
            wide = native
        cv2.convertScaleAbs(wide, dst=narrow, alpha=255 / 65535)
        return narrow

    return convert
