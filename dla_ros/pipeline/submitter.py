"""
The threads on which frames are submitted: never those of whoever offers them.

Who offers a frame receives images, and should wait neither for an engine whose submit call takes
its time nor for a JPEG.
"""

from collections.abc import Callable

from dla_ros.devices.host.stream import HostStream, Mark
from dla_ros.devices.protocol import Device


class Submitter:
    """Run submissions on a thread, one after the other."""

    def __init__(self) -> None:
        """Start the thread."""
        self._thread = HostStream()

    def run(self, work: Callable[[], None]) -> Mark:
        """Hand over to the thread; the mark is reached when it is done. ``work`` catches all."""
        self._thread.enqueue(work)
        return self._thread.mark()

    def close(self) -> None:
        """Let what was handed over end, and the thread with it; a second call does nothing."""
        self._thread.close()


def open_submitters(device: Device, slots: int) -> list[Submitter]:
    """
    Return the submitter of each slot, by where pictures are loaded.

    On the host that is on each stream's own thread, so one submitter submits for all slots, in the
    order of the frames. A GPU's stream cannot: CUDA forbids calls of its own in host functions,
    and which kernel runs over how many bytes is known only with the picture. So there submitters
    load them, and each slot has one, for several to be loaded side by side.
    """
    return [Submitter() for _ in range(slots)] if device.name == 'cuda' else slots * [Submitter()]
