"""Memory of the host device: buffers, and copies of them in step with a stream."""

from threading import Lock

from dla_ros.devices.protocol import Buffer, Bytes, Stream
from dla_ros.errors import DeviceError
import numpy as np

ALIGNMENT = 64

_live: dict[int, Bytes] = {}
_lock = Lock()


class HostBuffer:
    """
    Hold zeroed bytes, aligned to 64, until closed.

    Closing is the only way to free them: a forgotten buffer leaks, as it would on a GPU, and an
    address stays true as long as :func:`owns` says so.
    """

    def __init__(self, nbytes: int) -> None:
        """Take ``nbytes`` > 0; raise ValueError for less and DeviceError if there is no memory."""
        self._host: Bytes = _take_aligned(nbytes)
        self._address: int = self._host.ctypes.data
        self._nbytes = nbytes
        self._is_closed = False
        with _lock:
            _live[self._address] = self._host

    @property
    def address(self) -> int:
        """Give the first byte's address; raise DeviceError after close."""
        self._refuse_if_closed()
        return self._address

    @property
    def nbytes(self) -> int:
        """Give the size in bytes."""
        return self._nbytes

    @property
    def host(self) -> Bytes:
        """Give the bytes themselves, uint8 (nbytes,); raise DeviceError after close."""
        self._refuse_if_closed()
        return self._host

    def close(self) -> None:
        """Free the memory; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        with _lock:
            del _live[self._address]
        del self._host

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise DeviceError(
                f'host buffer of {self._nbytes} bytes is closed; keep it open while it is in use'
            )


def owns(address: int, nbytes: int) -> bool:
    """Tell whether ``nbytes`` bytes from ``address`` lie inside one live host buffer."""
    return look_at(address, nbytes) is not None


def look_at(address: int, nbytes: int) -> Bytes | None:
    """Show ``nbytes`` bytes from ``address``; None unless one live host buffer has them all."""
    with _lock:
        # Mostly it is the beginning of a buffer.
        memory = _live.get(address)
        if memory is None:
            memory = _behind(address)
    return memory[:nbytes] if memory is not None and nbytes <= memory.nbytes else None


def _behind(address: int) -> Bytes | None:
    """Show what follows an address inside a buffer."""
    for start, memory in _live.items():
        if start < address < start + memory.nbytes:
            return memory[address - start :]
    return None


def _take_aligned(nbytes: int) -> Bytes:
    if nbytes <= 0:
        raise ValueError(f'a buffer of {nbytes} bytes cannot be; ask for at least 1')
    try:
        raw = np.zeros(nbytes + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError, OverflowError) as error:  # of more than 2**63 bytes
        raise DeviceError(f'no memory for a host buffer of {nbytes} bytes') from error
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + nbytes]


class DirectHostCopy:
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
