"""Which kernel reads an encoding, and where in memory its parts lie."""

from dataclasses import dataclass

from dla_ros.images.encodings import Encoding
from dla_ros.images.image import ImageView

FAMILIES = ('packed3', 'packed4', 'mono8', 'mono16', 'yuv422', 'semi_planar', 'bayer')
_MOSAICS = {'rggb': (0, 0), 'grbg': (0, 1), 'gbrg': (1, 0), 'bggr': (1, 1)}
_PAIRS = {'uyvy': (1, 0, 2), 'yuyv': (0, 1, 3)}
_CHROMA = {'y+uv': (0, 0, 1), 'y+vu': (0, 1, 0)}


@dataclass(frozen=True)
class Family:
    """Name a kernel of ``fused.cu``; ``place`` is explained in ``parameters.cuh``."""

    kernel: str
    place: tuple[int, int, int]

    @classmethod
    def of(cls, known: Encoding, image: ImageView) -> 'Family':
        """Find the family of an encoding; byte order is the image's own."""
        order = known.order
        if order in _MOSAICS:
            return cls('bayer', (*_MOSAICS[order], 0))
        if order in _PAIRS:
            return cls('yuv422', _PAIRS[order])
        if order in _CHROMA:
            return cls('semi_planar', _CHROMA[order])
        if order == 'y':
            if known.itemsize == 1:
                return cls('mono8', (0, 0, 0))
            return cls('mono16', (int(image.is_bigendian), 0, 0))
        red, green, blue = (order.index(colour) for colour in 'rgb')
        return cls(f'packed{len(order)}', (red, green, blue))
