"""The host device: what a CUDA device gives, on any machine."""

from dla_ros.devices.host.event import HostEvent
from dla_ros.devices.host.memory import DirectHostCopy, HostBuffer
from dla_ros.devices.host.stream import HostStream
from dla_ros.devices.protocol import Buffer
from dla_ros.errors import DeviceError
from dla_ros.owner import Owner


class HostDevice(Owner):
    """
    Make buffers, streams and events out of NumPy memory and threads.

    Streams are as asynchronous as CUDA's, so that a buffer reused while it is in flight goes wrong
    on a laptop too. Every method raises DeviceError after close.
    """

    name = 'host'

    @classmethod
    def open(cls) -> 'HostDevice':
        """Open the device: there always is one."""
        return cls()

    def __init__(self) -> None:
        """Take nothing yet."""
        self._is_closed = False

    def allocate(self, nbytes: int) -> HostBuffer:
        """Take ``nbytes`` zeroed bytes, aligned to 64; raise DeviceError if there are none."""
        self._refuse_if_closed()
        return HostBuffer(nbytes)

    def open_stream(self) -> HostStream:
        """Start a stream with a worker thread of its own."""
        self._refuse_if_closed()
        return HostStream()

    def open_event(self) -> HostEvent:
        """Open an event; its times are nanoseconds of ``time.perf_counter_ns``."""
        self._refuse_if_closed()
        return HostEvent()

    def open_mirror(self, buffer: Buffer) -> DirectHostCopy:
        """Show ``buffer`` to the CPU without a copy."""
        self._refuse_if_closed()
        return DirectHostCopy(buffer)

    def is_lost(self) -> bool:
        """Tell that it never is."""
        return False

    def close(self) -> None:
        """Refuse from now on; what was taken is closed by whoever took it."""
        self._is_closed = True

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise DeviceError('the host device is closed; open another')
