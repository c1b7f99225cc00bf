"""Host memory that the GPU reaches: the source of asynchronous copies, or read in place."""

import ctypes

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check, release
from dla_ros.devices.protocol import Bytes
import numpy as np


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
