"""A received image that owns the memory its pixels came in."""

from ctypes import addressof, c_uint8
from typing import Any

from dla_ros.ros.in_place.c_image import CImage, CSequence
from dla_ros.ros.in_place.runtime import runtime
from dla_ros.ros.in_place.type_support import TypeSupport
from std_msgs.msg import Header

_HEADER = TypeSupport(Header)


class ReceivedImage:
    """
    Have the fields of a ``sensor_msgs/Image``; ``data`` is a memoryview of uint8.

    The memory lives as long as the image or any view of ``data``.
    """

    __slots__ = ('data', 'encoding', 'header', 'height', 'is_bigendian', 'step', 'width')

    def __init__(self, address: int) -> None:
        """Take the pixels of the C message there, and copy what is small."""
        source = CImage.from_address(address)
        self.header: Header = _HEADER.to_python(address)
        self.height: int = source.height
        self.width: int = source.width
        self.encoding: str = source.encoding.to_text()
        self.is_bigendian: int = source.is_bigendian
        self.step: int = source.step
        self.data: memoryview = _take(source.data)


class _Owner:
    """Free the elements of a sequence with the last view of them."""

    __slots__ = ('_sequence',)

    def __init__(self, sequence: CSequence) -> None:
        self._sequence = sequence

    def __del__(self) -> None:
        runtime().fini(addressof(self._sequence))


def _take(sequence: CSequence) -> memoryview:
    if not sequence.size:
        return memoryview(b'')
    elements: Any = (c_uint8 * sequence.size).from_address(sequence.data)
    # Every view keeps this array, and the array its owner.
    elements.owner = _Owner(sequence.take())
    return memoryview(elements).cast('B')
