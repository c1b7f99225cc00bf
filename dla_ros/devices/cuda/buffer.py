"""Plain device memory, as a DLA takes it."""

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check, release
from dla_ros.errors import DeviceError

_live: dict[int, int] = {}  # address to bytes


class CudaBuffer:
    """
    Hold zeroed memory from cudaMalloc, aligned to 256 bytes.

    cuDLA registers nothing else: no managed memory, no part of a pool (cudla.h). ``host`` is None,
    also on a Jetson: memory from cudaMalloc has no address for the CPU there either.
    """

    host = None

    def __init__(self, nbytes: int) -> None:
        """Take ``nbytes`` > 0; raise ValueError for less and DeviceError if there is no memory."""
        if nbytes <= 0:
            raise ValueError(f'a buffer of {nbytes} bytes cannot be; ask for at least 1')
        doing = f'allocating {nbytes} bytes'
        self._nbytes = nbytes
        self._address = int(check(runtime.cudaMalloc(nbytes), doing))
        self._is_closed = False
        _live[self._address] = nbytes
        try:
            check(runtime.cudaMemset(self._address, 0, nbytes), doing)
            # A non-blocking stream does not wait for the default one, where this runs.
            check(runtime.cudaStreamSynchronize(0), doing)
        except DeviceError:
            self.close()
            raise

    @property
    def address(self) -> int:
        """Give the device pointer; raise DeviceError after close."""
        if self._is_closed:
            raise DeviceError(
                f'CUDA buffer of {self._nbytes} bytes is closed; keep it open while it is in use'
            )
        return self._address

    @property
    def nbytes(self) -> int:
        """Give the size in bytes."""
        return self._nbytes

    def close(self) -> None:
        """Free the memory; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        del _live[self._address]
        release(runtime.cudaFree(self._address), f'freeing {self._nbytes} bytes')


def owns(address: int, nbytes: int) -> bool:
    """Tell whether ``nbytes`` bytes from ``address`` lie inside one live CUDA buffer."""
    # A copy: other threads allocate meanwhile.
    return any(
        start <= address and address + nbytes <= start + size
        for start, size in list(_live.items())
    )
