"""The CPU's copy of a device buffer."""

from dla_ros.devices.cuda.copy import copy_to_host
from dla_ros.devices.cuda.pinned import PinnedMemory
from dla_ros.devices.protocol import Buffer, Bytes, Stream


class CudaMirror:
    """
    Keep a pinned copy and refresh it in stream order.

    On a Jetson too: what a DLA writes lies in cudaMalloc memory, which the CPU cannot address, so
    one copy within the same DRAM remains.
    """

    def __init__(self, buffer: Buffer) -> None:
        """Take as much pinned memory as ``buffer`` has; raise DeviceError if there is none."""
        self._buffer = buffer
        self._pinned = PinnedMemory(buffer.nbytes)
        self.host: Bytes = self._pinned.host

    def fetch(self, stream: Stream) -> None:
        """Enqueue one asynchronous copy."""
        copy_to_host(self._pinned.pointer, self._buffer.address, self._buffer.nbytes, stream)

    def close(self) -> None:
        """Release the copy; a second call does nothing."""
        self._pinned.close()
