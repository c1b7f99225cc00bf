"""An event of the host device: the latest mark in some stream."""

from dla_ros.devices.host.stream import HostStream, Mark
from dla_ros.devices.protocol import Event, Stream
from dla_ros.errors import DeviceError

_NS_PER_MS = 1e6


class HostEvent:
    """Remember the latest mark; waiting for an event that was never recorded is refused."""

    def __init__(self) -> None:
        """Start without a mark."""
        self._mark: Mark | None = None
        self._is_closed = False

    def record(self, stream: Stream) -> None:
        """Mark the place after all that is enqueued on a host stream; forget the earlier mark."""
        self._refuse_if_closed()
        if not isinstance(stream, HostStream):
            raise TypeError(f'a host event cannot mark a {type(stream).__name__}')
        self._mark = stream.mark()

    def wait(self, timeout_s: float | None = None) -> bool:
        """
        Wait, GIL released, until the mark is reached; False if ``timeout_s`` ran out before.

        Raise DeviceError if work before the mark failed, or where there is no mark.
        """
        return self._marked().wait(timeout_s)

    def elapsed_ms_since(self, earlier: Event) -> float:
        """Give the milliseconds between two reached marks; raise DeviceError if one is not."""
        if not isinstance(earlier, HostEvent):
            raise TypeError(f'a host event cannot be compared with a {type(earlier).__name__}')
        return (self._reached_ns() - earlier._reached_ns()) / _NS_PER_MS

    def close(self) -> None:
        """Forget the mark; a second call does nothing."""
        self._is_closed = True
        self._mark = None

    def _reached_ns(self) -> int:
        time_ns = self._marked().time_ns
        if time_ns is None:
            raise DeviceError('host event is not reached yet; wait for it first')
        return time_ns

    def _marked(self) -> Mark:
        self._refuse_if_closed()
        if self._mark is None:
            raise DeviceError('host event marks no place; record it on a stream first')
        return self._mark

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise DeviceError('host event is closed; open another')
