"""The emulated DLA on memory and streams of a GPU: out, compute, back, in stream order."""

from collections.abc import Sequence

from dla_ros.devices.cuda.memory import copy_to_device, copy_to_host, owns, PinnedMemory
from dla_ros.devices.cuda.stream import CudaStream, stream_of
from dla_ros.emulator.streams import doors, Region, Work
from dla_ros.errors import DeviceError


class CudaDoor:
    """
    Reach the GPU.

    A real DLA reads and writes device memory itself; here the tensors of each stream are copied
    to pinned memory, a host function computes on that, and the outputs are copied back.
    """

    def __init__(self) -> None:
        """Start without memory: each set of tensors gets its own at its first task."""
        self._staged: dict[tuple[int, tuple[Region, ...]], list[PinnedMemory]] = {}

    def owns(self, address: int, nbytes: int) -> bool:
        """Ask the live CUDA buffers."""
        return owns(address, nbytes)

    def has_stream(self, stream: int) -> bool:
        """Ask the open CUDA streams."""
        return stream_of(stream) is not None

    def run_on(
        self, stream: int, inputs: Sequence[Region], outputs: Sequence[Region], work: Work
    ) -> None:
        """Enqueue copies and work; raise DeviceError if CUDA refuses."""
        target = stream_of(stream)
        if target is None:
            raise DeviceError(f'CUDA stream {stream:#x} is closed')
        staged = self._staging_for(target, (*inputs, *outputs))
        read, written = staged[: len(inputs)], staged[len(inputs) :]
        for memory, (address, nbytes) in zip(read, inputs, strict=True):
            copy_to_host(memory.pointer, address, nbytes, target)
        target.enqueue(lambda: work([each.host for each in read], [each.host for each in written]))
        for memory, (address, nbytes) in zip(written, outputs, strict=True):
            copy_to_device(address, memory.pointer, nbytes, target)

    def _staging_for(self, stream: CudaStream, regions: tuple[Region, ...]) -> list[PinnedMemory]:
        """Give pinned memory for these tensors, freed when the stream is closed."""
        key = (stream.handle, regions)
        if key not in self._staged:
            self._staged[key] = [PinnedMemory(nbytes) for _, nbytes in regions]
            stream.on_close(lambda: self._free(key))
        return self._staged[key]

    def _free(self, key: tuple[int, tuple[Region, ...]]) -> None:
        for memory in self._staged.pop(key):
            memory.close()


_door = CudaDoor()


def open_cuda_adapter() -> None:
    """Let the emulator of this process reach the GPU, from now on."""
    if _door not in doors:
        doors.append(_door)
