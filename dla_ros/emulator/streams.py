"""
Where the emulated DLA finds memory and streams.

A C caller hands over integers. Each kind of device has a door that knows which integers are its
own; CUDA's copies out and in around the work, the host's hands over the memory itself.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from dla_ros.devices.host.memory import look_at, owns
from dla_ros.devices.host.stream import stream_of
from dla_ros.devices.protocol import Bytes
from dla_ros.errors import DeviceError

Region = tuple[int, int]  # address, bytes
Work = Callable[[list[Bytes], list[Bytes]], None]


class Door(Protocol):
    """Reach the memory and the streams of one kind of device."""

    def owns(self, address: int, nbytes: int) -> bool:
        """Tell whether the bytes lie in one live allocation of the device."""

    def has_stream(self, stream: int) -> bool:
        """Tell whether the number is an open stream of the device."""

    def run_on(
        self, stream: int, inputs: Sequence[Region], outputs: Sequence[Region], work: Work
    ) -> None:
        """
        Enqueue ``work`` on the stream and return at once.

        It gets the bytes of the regions for the CPU; what it writes to outputs reaches the
        device before later work on the stream. What it raises breaks the stream.
        """


class HostDoor:
    """Reach the host device."""

    def owns(self, address: int, nbytes: int) -> bool:
        """Ask the live host buffers."""
        return owns(address, nbytes)

    def has_stream(self, stream: int) -> bool:
        """Ask the open host streams."""
        return stream_of(stream) is not None

    def run_on(
        self, stream: int, inputs: Sequence[Region], outputs: Sequence[Region], work: Work
    ) -> None:
        """Let the stream's worker run the work on the buffers themselves."""
        target = stream_of(stream)
        if target is None:
            raise DeviceError(f'host stream {stream:#x} is closed')
        target.enqueue(_HostRun(inputs, outputs, work))


class _HostRun:
    """Run work on host memory, once."""

    def __init__(self, inputs: Sequence[Region], outputs: Sequence[Region], work: Work) -> None:
        self._inputs = inputs
        self._outputs = outputs
        self._work: Work | None = work

    def __call__(self) -> None:
        work, self._work = self._work, None
        try:
            memory = _arrays(self._inputs), _arrays(self._outputs)
        except DeviceError:
            work = None  # the error keeps this frame, and would keep the task in flight
            raise
        if work is not None:
            work(*memory)


def _arrays(regions: Sequence[Region]) -> list[Bytes]:
    """Show memory as arrays; a real DLA would write into memory that was freed, this one stops."""
    found = []
    for address, nbytes in regions:
        memory = look_at(address, nbytes)
        if memory is None:
            raise DeviceError(
                f'{nbytes} bytes at {address:#x} were freed while a DLA task used them'
            )
        found.append(memory)
    return found


doors: list[Door] = [HostDoor()]


def owner_of(address: int, nbytes: int) -> Door | None:
    """Find the device that memory belongs to."""
    return next((door for door in doors if door.owns(address, nbytes)), None)


def door_to(stream: int) -> Door | None:
    """Find the device that a stream belongs to."""
    return next((door for door in doors if door.has_stream(stream)), None)
