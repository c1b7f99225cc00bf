"""CUDA memory: buffers on the device, pinned memory, copies, and host copies of buffers."""

import ctypes
from dataclasses import dataclass

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check, release
from dla_ros.devices.protocol import Buffer, Bytes, Stream
from dla_ros.errors import DeviceError
import numpy as np

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


class PinnedMemory:
    """
    Hold zeroed, page-locked memory mapped for the GPU.

    ``host`` shows it to the CPU as uint8 (nbytes,); ``address`` is where the GPU sees it.
    """

    def __init__(self, nbytes: int) -> None:
        """Take ``nbytes`` > 0; raise DeviceError if there are none."""
        flags = runtime.cudaHostAllocMapped | runtime.cudaHostAllocPortable
        doing = f'pinning {nbytes} bytes of host memory'
        self._pointer = int(check(runtime.cudaHostAlloc(nbytes, flags), doing))
        self.address = int(check(runtime.cudaHostGetDevicePointer(self._pointer, 0), doing))
        memory = (ctypes.c_uint8 * nbytes).from_address(self._pointer)
        self.host: Bytes = np.ctypeslib.as_array(memory)
        self.host[:] = 0
        self.nbytes = nbytes
        self._is_closed = False

    @property
    def pointer(self) -> int:
        """Give the address for the CPU, which is what copies take."""
        return self._pointer

    def close(self) -> None:
        """Free the memory, after which ``host`` must not be touched; again does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        del self.host
        release(runtime.cudaFreeHost(self._pointer), 'freeing pinned memory')


_Kind = runtime.cudaMemcpyKind


@dataclass
class CopiedBytes:
    """Count the bytes that this process has sent to the GPU and fetched from it."""

    to_device: int = 0
    to_host: int = 0


traffic = CopiedBytes()


def copy_to_device(target: int, source: int, nbytes: int, stream: Stream) -> None:
    """Enqueue a copy from pinned host memory; that must stay as it is until the copy is done."""
    kind = _Kind.cudaMemcpyHostToDevice
    copied = runtime.cudaMemcpyAsync(target, source, nbytes, kind, stream.handle)
    check(copied, f'copying {nbytes} bytes to the GPU')
    traffic.to_device += nbytes


def copy_to_host(target: int, source: int, nbytes: int, stream: Stream) -> None:
    """Enqueue a copy into pinned host memory."""
    kind = _Kind.cudaMemcpyDeviceToHost
    copied = runtime.cudaMemcpyAsync(target, source, nbytes, kind, stream.handle)
    check(copied, f'copying {nbytes} bytes from the GPU')
    traffic.to_host += nbytes


def clear(target: int, nbytes: int, stream: Stream) -> None:
    """Enqueue filling device memory with zeros."""
    check(runtime.cudaMemsetAsync(target, 0, nbytes, stream.handle), f'clearing {nbytes} bytes')


class CudaHostCopy:
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
