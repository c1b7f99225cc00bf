"""The thread on which a slot submits its frames."""

from collections.abc import Callable
from typing import Protocol

from dla_ros.devices.host.stream import HostStream
from dla_ros.devices.protocol import Device


class Front(Protocol):
    """Run submissions, one at a time; ``work`` catches whatever it raises."""

    def run(self, work: Callable[[], None]) -> None:
        """Submit, or see to it that it is done, and return without waiting for a picture."""

    def wait(self, timeout_s: float) -> bool:
        """Wait until the last submission has been made; False if time ran out before."""

    def close(self) -> None:
        """Let the last submission end; a second call does nothing."""


class CallerFront:
    """Submit on the caller's thread: right where pictures are loaded on the stream's own."""

    def run(self, work: Callable[[], None]) -> None:
        """Submit at once."""
        work()

    def wait(self, timeout_s: float) -> bool:
        """Tell that it is done."""
        return True

    def close(self) -> None:
        """Do nothing."""


class ThreadFront:
    """
    Submit on a thread of the slot's own.

    A GPU's stream cannot load pictures: CUDA forbids calls of its own in host functions, and which
    kernel runs over how many bytes is known only with the picture. Whoever offers a frame should
    wait for no JPEG, and pictures of several slots can be loaded side by side.
    """

    def __init__(self) -> None:
        """Start the thread."""
        self._thread = HostStream()
        self._last = self._thread.mark()

    def run(self, work: Callable[[], None]) -> None:
        """Hand over to the thread."""
        self._thread.enqueue(work)
        self._last = self._thread.mark()

    def wait(self, timeout_s: float) -> bool:
        """Wait, GIL released, for the thread."""
        return self._last.wait(timeout_s)

    def close(self) -> None:
        """End the thread; a second call does nothing."""
        self._thread.close()


def open_front(device: Device) -> Front:
    """Choose by where the device's feeder loads pictures."""
    return ThreadFront() if device.name == 'cuda' else CallerFront()
