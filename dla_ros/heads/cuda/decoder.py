"""Boxes decoded on the GPU, in stream order behind the network."""

from collections.abc import Sequence
import ctypes

from dla_ros.detections import Detections, Float32
from dla_ros.devices.cuda.compiler import cubin_of
from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.cuda.memory import clear, copy_to_device, copy_to_host, CudaBuffer
from dla_ros.devices.cuda.program import Program
from dla_ros.devices.protocol import Buffer, Stream
from dla_ros.heads.cuda.parameters import CANDIDATE, DecodeParameters
from dla_ros.heads.cuda.plan import DecodePlan
from dla_ros.tensors.spec import TensorSpec
import numpy as np

CAPACITY = 2048  # twice what suppression looks at (nms.MAX_CANDIDATES)
_HEADER = 32  # bytes before the candidates: how many there are
_BLOCK = 64  # threads: small, so that few cells spread over many multiprocessors


class CudaDecoder:
    """
    Own one slot's list of candidates, on the device and in pinned memory.

    What crosses to the CPU is that list, not the outputs.
    """

    @classmethod
    def open(
        cls,
        plan: DecodePlan,
        outputs: tuple[TensorSpec, ...],
        buffers: Sequence[Buffer],
        device: CudaDevice,
    ) -> 'CudaDecoder':
        """
        Compile or find the kernels and load them.

        Raise TensorError if int8 has no scale, DeviceError if the GPU or the compiler refuses.
        """
        cubin = cubin_of(plan.source, (), 'sm_{}{}'.format(*device.compute_capability))
        device.make_current()
        table = None if plan.table is None else _upload(plan.table, device)
        return cls(plan, outputs, buffers, device, Program(cubin, (plan.kernel,)), table)

    def __init__(
        self,
        plan: DecodePlan,
        outputs: tuple[TensorSpec, ...],
        buffers: Sequence[Buffer],
        device: CudaDevice,
        program: Program,
        table: Buffer | None,
    ) -> None:
        """Use ``open``, which compiles."""
        self._plan = plan
        self._device = device
        self._program = program
        self._parameters = DecodeParameters()
        plan.fill(self._parameters, outputs)
        nbytes = _HEADER + CAPACITY * CANDIDATE.itemsize
        self._list = device.allocate(nbytes)
        self._copy = device.pin(nbytes)
        self._table = table
        self._point(buffers)
        self._pointers = (ctypes.c_void_p * 1)(ctypes.addressof(self._parameters))
        self._grid = (-(-plan.most_cells // _BLOCK), len(plan.maps))
        self._count = self._copy.host[:4].view(np.uint32)
        self._found = self._copy.host[_HEADER:].view(CANDIDATE)

    def enqueue(self, stream: Stream, confidence: float) -> None:
        """Decode what the network has written by then; raise DeviceError if the GPU refuses."""
        self._device.make_current()
        told = self._parameters
        told.threshold, told.confidence = self._plan.thresholds(confidence)
        clear(self._list.address, _HEADER, stream)
        arguments = ctypes.addressof(self._pointers)
        self._program.launch(self._plan.kernel, self._grid, (_BLOCK, 1), arguments, stream.handle)
        copy_to_host(self._copy.pointer, self._list.address, self._list.nbytes, stream)

    def take(self) -> Detections | None:
        """Give the candidates in the order of the head's decoder; None if they were too many."""
        count = int(self._count[0])
        if count > CAPACITY:
            return None
        found = self._found[:count]
        # Threads add in any order; equal scores must not change places from frame to frame.
        found = found[np.argsort(found['order'])]
        return Detections(
            np.ascontiguousarray(found['xyxy']),
            np.ascontiguousarray(found['score']),
            np.ascontiguousarray(found['class_id']),
        )

    def close(self) -> None:
        """Give memory and kernels back, the stream being idle; a second call does nothing."""
        self._list.close()
        self._copy.close()
        if self._table is not None:
            self._table.close()
        self._program.close()

    def _point(self, buffers: Sequence[Buffer]) -> None:
        """Tell the kernel where outputs and list are."""
        for target, each in zip(self._parameters.maps, self._plan.maps, strict=False):
            target.boxes.data = buffers[each.boxes].address
            target.classes.data = buffers[each.classes].address
            if each.third is not None:
                target.third.data = buffers[each.third].address
        self._parameters.count = self._list.address
        self._parameters.found = self._list.address + _HEADER
        self._parameters.capacity = CAPACITY
        if self._table is not None:
            self._parameters.table = self._table.address


def _upload(values: Float32, device: CudaDevice) -> CudaBuffer:
    """Copy numbers to the device and wait for it."""
    data = np.ascontiguousarray(values, np.float32).reshape(-1).view(np.uint8)
    buffer, pinned = device.allocate(data.nbytes), device.pin(data.nbytes)
    stream = device.open_stream()
    pinned.host[:] = data
    copy_to_device(buffer.address, pinned.pointer, data.nbytes, stream)
    stream.close()
    pinned.close()
    return buffer
