"""
What a compute device gives to the rest: buffers, ordered streams, events.

The contract is CUDA's: work enqueued on one stream runs in order; the caller does not wait; an
event marks a place in a stream. ``devices/host`` keeps it with worker threads, so that a buffer
reused while it is in flight goes wrong on a laptop as it would on a robot.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


class Buffer(Protocol):
    """
    Hold device memory, zeroed when allocated, aligned to at least 32 bytes (cudla.h).

    All of it raises DeviceError after close.
    """

    @property
    def address(self) -> int:
        """Give the device pointer."""

    @property
    def nbytes(self) -> int:
        """Give the size in bytes."""

    @property
    def host(self) -> Bytes | None:
        """Give the same bytes to the CPU, uint8 (nbytes,), or None where it cannot reach them."""

    def close(self) -> None:
        """Free the memory; a second call does nothing."""


class Stream(Protocol):
    """Run work in order without making the caller wait; ``handle`` is the integer for C APIs."""

    handle: int

    def enqueue(self, work: Callable[[], None]) -> None:
        """
        Run ``work`` on the CPU after everything enqueued before it (cudaLaunchHostFunc).

        What it raises breaks the stream: later work is left out, every wait raises DeviceError.
        """

    def synchronize(self) -> None:
        """Wait for all work; raise DeviceError if some of it failed."""

    def close(self) -> None:
        """Let the enqueued work end and release the stream; a second call does nothing."""


class Event(Protocol):
    """Mark a place in a stream, to wait for it and to measure between two places."""

    def record(self, stream: Stream) -> None:
        """Mark the place after everything enqueued so far; an earlier mark is forgotten."""

    def wait(self, timeout_s: float | None = None) -> bool:
        """
        Wait, GIL released, until the mark is reached; tell whether it was reached in time.

        Raise DeviceError if work before the mark failed.
        """

    def elapsed_ms_since(self, earlier: 'Event') -> float:
        """Give the milliseconds between two reached marks."""

    def close(self) -> None:
        """Release the event; a second call does nothing."""


class HostCopy(Protocol):
    """Give the CPU a readable copy of a buffer (or the buffer itself where it can read that)."""

    host: Bytes

    def fetch(self, stream: Stream) -> None:
        """Enqueue what makes ``host`` equal to the buffer; nothing where they are the same."""

    def close(self) -> None:
        """Release the copy; a second call does nothing."""


class Device(Protocol):
    """Make buffers, streams and events of one kind (``name``: 'host' or 'cuda')."""

    name: str

    def allocate(self, nbytes: int) -> Buffer:
        """Take zeroed memory; raise DeviceError if there is none."""

    def open_stream(self) -> Stream:
        """Open a stream of its own, never the default one."""

    def open_event(self) -> Event:
        """Open an event with timing."""

    def open_mirror(self, buffer: Buffer) -> HostCopy:
        """Open a CPU-readable view of a buffer."""

    def is_lost(self) -> bool:
        """Tell whether the device will not work again in this process, whatever is done."""

    def close(self) -> None:
        """Release the device; everything taken from it must be closed before."""

    def __enter__(self) -> Any:
        """Enter a with block."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
