"""The contract of what brings pictures into a network's input."""

from collections.abc import Callable
from typing import Protocol

from dla_ros.array_image import Load
from dla_ros.pipeline.outcome import Picture


class Feeder(Protocol):
    """Belong to one slot: to its stream, its input, and one picture at a time."""

    def submit(self, load: Load, on_ready: Callable[[], None]) -> None:
        """
        Bring the picture that ``load`` gives into the input, in stream order.

        ``on_ready()`` is called when the CPU has no more to do for it, whatever came of it.

        An image that cannot be read is told by ``take``; the input then keeps what it held, and
        the stream stays whole. Raise DeviceError if the device refuses.
        """

    def take(self) -> Picture:
        """
        Give the picture submitted last and forget it; the stream has passed it.

        Raise ImageError if it could not be read.
        """

    def close(self) -> None:
        """Give memory back, the stream being idle; a second call does nothing."""
