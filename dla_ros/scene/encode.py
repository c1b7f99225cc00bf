"""An RGB picture in every encoding that a camera driver publishes."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Rows = NDArray[np.uint8]

JUNK = 0xAA  # what fills the padding, so that reading it shows

# ITU-R BT.601, limited range, of RGB in 0..1; what OpenCV and camera drivers mean by YUV.
YUV = np.array(
    [[65.481, 128.553, 24.966], [-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]], np.float64
)
YUV_ZERO = np.array([16.0, 128.0, 128.0])
LUMA = np.array([0.299, 0.587, 0.114])


def encode(rgb: Image, encoding: str, pad: int = 0) -> tuple[bytes, int]:
    """
    Give the ``data`` and ``step`` of a sensor_msgs/Image of an RGB picture (h, w, 3).

    ``pad`` bytes of junk follow each row, the last too. Encodings with shared chroma need even
    sizes. Raise KeyError for an encoding that is not known.
    """
    rows = ENCODERS[encoding](rgb)
    padded = np.pad(rows, ((0, 0), (0, pad)), constant_values=JUNK)
    return padded.tobytes(), padded.shape[1]


def _channels(order: str) -> Callable[[Image], Rows]:
    places = ['rgb'.find(letter) for letter in order]

    def to_rows(rgb: Image) -> Rows:
        opaque = np.full((*rgb.shape[:2], 1), 255, np.uint8)
        pixels: Rows = np.concatenate([rgb, opaque], axis=2)[:, :, places]
        return pixels.reshape(len(rgb), -1)

    return to_rows


def _mono8(rgb: Image) -> Rows:
    return _to_bytes(rgb @ LUMA)


def _mono16(rgb: Image) -> Rows:
    luma: NDArray[np.uint16] = np.rint(rgb @ LUMA * 257).astype('<u2')
    return luma.view(np.uint8)


def _to_bytes(values: NDArray[np.float64]) -> Rows:
    rounded: Rows = np.rint(values).astype(np.uint8)
    return rounded


def _to_yuv(rgb: Image) -> NDArray[np.float64]:
    yuv: NDArray[np.float64] = rgb / 255 @ YUV.T + YUV_ZERO
    return yuv


def _packed(order: str) -> Callable[[Image], Rows]:
    """Two pixels in four bytes, in the order of ``order``: 'uyvy' or 'yuyv'."""

    def to_rows(rgb: Image) -> Rows:
        yuv = _to_yuv(rgb)
        pairs = yuv.reshape(len(rgb), -1, 2, 3)
        chroma = pairs[:, :, :, 1:].mean(axis=2)
        parts = {'u': [chroma[:, :, 0]], 'v': [chroma[:, :, 1]],
                 'y': [pairs[:, :, 0, 0], pairs[:, :, 1, 0]]}  # fmt: skip
        places = [parts[letter].pop(0) for letter in order]
        return _to_bytes(np.stack(places, axis=2)).reshape(len(rgb), -1)

    return to_rows


def _semi_planar(first: int) -> Callable[[Image], Rows]:
    """All luma, then a row of chroma for each two rows; ``first`` is 1 for U, 2 for V."""

    def to_rows(rgb: Image) -> Rows:
        yuv = _to_yuv(rgb)
        height, width = rgb.shape[:2]
        chroma = yuv.reshape(height // 2, 2, width // 2, 2, 3).mean(axis=(1, 3))
        both = chroma[:, :, [first, 3 - first]].reshape(height // 2, width)
        return _to_bytes(np.concatenate([yuv[:, :, 0], both]))

    return to_rows


def _bayer(order: str) -> Callable[[Image], Rows]:
    """One colour a pixel; ``order`` names the first two rows' first two pixels."""

    def to_rows(rgb: Image) -> Rows:
        mosaic = np.empty(rgb.shape[:2], np.uint8)
        for place, letter in enumerate(order):
            row, column = divmod(place, 2)
            mosaic[row::2, column::2] = rgb[row::2, column::2, 'rgb'.index(letter)]
        return mosaic

    return to_rows


ENCODERS: dict[str, Callable[[Image], Rows]] = {
    'rgb8': _channels('rgb'),
    'bgr8': _channels('bgr'),
    'rgba8': _channels('rgba'),
    'bgra8': _channels('bgra'),
    'mono8': _mono8,
    'mono16': _mono16,
    '8UC1': _mono8,
    '8UC3': _channels('bgr'),
    '8UC4': _channels('bgra'),
    'uyvy': _packed('uyvy'),
    'yuv422': _packed('uyvy'),
    'yuyv': _packed('yuyv'),
    'yuv422_yuy2': _packed('yuyv'),
    'nv12': _semi_planar(1),
    'nv21': _semi_planar(2),
    **{f'bayer_{order}8': _bayer(order) for order in ('rggb', 'bggr', 'gbrg', 'grbg')},
}
