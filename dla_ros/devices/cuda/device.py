"""The CUDA device: one GPU of this machine."""

from cuda.bindings import runtime
from dla_ros.devices.cuda.event import CudaEvent
from dla_ros.devices.cuda.memory import CudaBuffer, CudaHostCopy, PinnedMemory
from dla_ros.devices.cuda.status import check, is_lost
from dla_ros.devices.cuda.stream import CudaStream
from dla_ros.devices.protocol import Buffer
from dla_ros.errors import DeviceError
from dla_ros.owner import Owner

_Attribute = runtime.cudaDeviceAttr


class CudaDevice(Owner):
    """
    Make buffers, streams and events of one GPU.

    ``is_integrated`` tells whether GPU and CPU share their memory (Jetson): then a kernel reads
    pinned memory in place, and nothing is copied to the device. Every method raises DeviceError
    after close.
    """

    name = 'cuda'

    @classmethod
    def open(cls, *, ordinal: int = 0, is_integrated: bool | None = None) -> 'CudaDevice':
        """
        Take GPU number ``ordinal``; ``is_integrated`` overrules what the GPU says of itself.

        Raise DeviceError where there is no driver, too old a one, or no such GPU.
        """
        count = int(check(runtime.cudaGetDeviceCount(), 'looking for a GPU'))
        if not 0 <= ordinal < count:
            raise DeviceError(f'GPU {ordinal} does not exist; this machine shows {count}, from 0')
        check(runtime.cudaSetDevice(ordinal), f'taking GPU {ordinal}')
        # cuDLA needs the context to exist, and the first allocation should not pay for it.
        check(runtime.cudaFree(0), f'taking GPU {ordinal}')
        if is_integrated is None:
            is_integrated = bool(_attribute(_Attribute.cudaDevAttrIntegrated, ordinal))
        return cls(ordinal, is_integrated)

    def __init__(self, ordinal: int, is_integrated: bool) -> None:
        """Use ``open``, which looks for the GPU."""
        self.ordinal = ordinal
        self.is_integrated = is_integrated
        self._is_closed = False

    @property
    def compute_capability(self) -> tuple[int, int]:
        """Give major and minor: (8, 7) on Orin."""
        major = _attribute(_Attribute.cudaDevAttrComputeCapabilityMajor, self.ordinal)
        return major, _attribute(_Attribute.cudaDevAttrComputeCapabilityMinor, self.ordinal)

    def make_current(self) -> None:
        """Make this GPU the one that the calling thread's driver calls mean."""
        check(runtime.cudaSetDevice(self.ordinal), f'taking GPU {self.ordinal}')

    def allocate(self, nbytes: int) -> CudaBuffer:
        """Take ``nbytes`` zeroed bytes of device memory; raise DeviceError if there are none."""
        self._prepare_thread()
        return CudaBuffer(nbytes)

    def pin(self, nbytes: int) -> PinnedMemory:
        """Take ``nbytes`` of host memory that the GPU reaches; raise DeviceError if none."""
        self._prepare_thread()
        return PinnedMemory(nbytes)

    def open_stream(self) -> CudaStream:
        """Create a non-blocking stream."""
        self._prepare_thread()
        return CudaStream()

    def open_event(self) -> CudaEvent:
        """Create an event with timing."""
        self._prepare_thread()
        return CudaEvent()

    def open_mirror(self, buffer: Buffer) -> CudaHostCopy:
        """Open a pinned copy of a buffer."""
        self._prepare_thread()
        return CudaHostCopy(buffer)

    def is_lost(self) -> bool:
        """
        Ask CUDA, which tells a loss from then on in every call of the process.

        Nothing undoes it: not cudaDeviceReset, a new primary context, nor a context of one's own
        (docs/gpu.md).
        """
        return is_lost(runtime.cudaFree(0)[0])

    def close(self) -> None:
        """Refuse from now on; the context stays, for others in the process may use it."""
        self._is_closed = True

    def _prepare_thread(self) -> None:
        if self._is_closed:
            raise DeviceError('the CUDA device is closed; open another')
        self.make_current()


def _attribute(attribute: runtime.cudaDeviceAttr, ordinal: int) -> int:
    return int(check(runtime.cudaDeviceGetAttribute(attribute, ordinal), f'asking GPU {ordinal}'))
