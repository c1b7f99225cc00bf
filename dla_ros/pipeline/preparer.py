"""The contract of what writes a picture into a network's input."""

from typing import Protocol

from dla_ros.devices.protocol import Bytes
from dla_ros.image import ImageView
from dla_ros.letterbox import Letterbox


class Preparer(Protocol):
    """Belong to one slot: what it remembers of the last picture is its slot's alone."""

    def prepare(self, image: ImageView, out: Bytes) -> Letterbox:
        """
        Fill the input tensor's bytes and give where the picture lies in it.

        ``out`` is the same object each time. Raise ImageError for an image that cannot be read.
        """
