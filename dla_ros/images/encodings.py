"""The image encodings that are read, as one table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Encoding:
    """
    Describe how the pixels of one encoding lie in a message.

    ``order`` names what lies where: the channels of one pixel ('rgb', 'bgra'; 'y' is luma), the
    bytes of two pixels ('uyvy', 'yuyv'), the planes ('y+uv', 'y+vu') or the first two rows of a
    Bayer mosaic ('rggb'). ``channels`` counts the elements of a pixel in the first plane,
    ``itemsize`` the bytes of one element. ``multiple_of`` (height, width) is what the size must
    divide by, because chroma is shared; ``smallest`` is the least height and width (OpenCV's
    demosaicing gives black below 3).
    """

    order: str
    channels: int
    itemsize: int = 1
    multiple_of: tuple[int, int] = (1, 1)
    smallest: int = 1

    @property
    def pixel_bytes(self) -> int:
        """Give the bytes of a pixel in the first plane."""
        return self.channels * self.itemsize

    @property
    def is_semi_planar(self) -> bool:
        """Tell whether a plane of chroma, half as high, follows the luma."""
        return '+' in self.order


_UYVY = Encoding('uyvy', 2, multiple_of=(1, 2))
_YUYV = Encoding('yuyv', 2, multiple_of=(1, 2))

# Names as in sensor_msgs/image_encodings.hpp, matched exactly, case too. 'nv12' is not there;
# Isaac ROS publishes it. 8UC3 and 8UC4 say nothing of colour: they are taken as OpenCV's custom
# has it, blue first.
ENCODINGS: dict[str, Encoding] = {
    'rgb8': Encoding('rgb', 3),
    'bgr8': Encoding('bgr', 3),
    'rgba8': Encoding('rgba', 4),
    'bgra8': Encoding('bgra', 4),
    'mono8': Encoding('y', 1),
    'mono16': Encoding('y', 1, itemsize=2),
    '8UC1': Encoding('y', 1),
    '8UC3': Encoding('bgr', 3),
    '8UC4': Encoding('bgra', 4),
    'uyvy': _UYVY,
    'yuv422': _UYVY,
    'yuyv': _YUYV,
    'yuv422_yuy2': _YUYV,
    'nv12': Encoding('y+uv', 1, multiple_of=(2, 2)),
    'nv21': Encoding('y+vu', 1, multiple_of=(2, 2)),
    'bayer_rggb8': Encoding('rggb', 1, smallest=3),
    'bayer_bggr8': Encoding('bggr', 1, smallest=3),
    'bayer_gbrg8': Encoding('gbrg', 1, smallest=3),
    'bayer_grbg8': Encoding('grbg', 1, smallest=3),
}
