"""The CPU's view of a host buffer: the buffer itself."""

from dla_ros.devices.protocol import Buffer, Bytes, Stream
from dla_ros.errors import DeviceError


class HostMirror:
    """Show a buffer that the CPU reads anyway; nothing is copied."""

    def __init__(self, buffer: Buffer) -> None:
        """Look at ``buffer``; raise DeviceError if the CPU cannot reach it."""
        if buffer.host is None:
            raise DeviceError('the host device cannot mirror memory that the CPU cannot reach')
        self.host: Bytes = buffer.host

    def fetch(self, stream: Stream) -> None:
        """Do nothing: what runs on ``stream`` writes the bytes that ``host`` shows."""

    def close(self) -> None:
        """Do nothing: the buffer has its own close."""
