"""The one door to CuPy: a network's outputs as its arrays, for heads of other packages."""

from types import ModuleType
from typing import Any

from dla_ros.detections import Detections
from dla_ros.devices.protocol import Buffer, Stream
from dla_ros.errors import DeviceError
from dla_ros.installation.libraries import why_missing
from dla_ros.tensors.format import DataType
from dla_ros.tensors.packing import scale_of, to_nchw
from dla_ros.tensors.spec import TensorSpec
from dla_ros.tensors.view import geometry
import numpy as np


def find_cupy(who: str) -> ModuleType:
    """Give CuPy; raise DeviceError, naming who wants it, where it is not installed."""
    try:
        import cupy
    except ImportError as error:
        raise DeviceError(
            f'{who} decodes on the GPU with CuPy: {why_missing("cupy", error)}; '
            'or set device: host'
        ) from error
    found: ModuleType = cupy
    return found


def to_stream(cupy: ModuleType, stream: Stream) -> Any:
    """Give CuPy's object for a stream that is not its own."""
    if hasattr(cupy.cuda.Stream, 'from_external'):
        return cupy.cuda.Stream.from_external(_Named(stream.handle))
    return cupy.cuda.ExternalStream(stream.handle)  # before CuPy 14


def show(cupy: ModuleType, spec: TensorSpec, buffer: Buffer) -> Any:
    """Look at device memory as ``spec`` places it, without a copy; the buffer is kept alive."""
    memory = cupy.cuda.UnownedMemory(buffer.address, spec.size, buffer)
    shape, strides = geometry(spec)
    return cupy.ndarray(
        shape, spec.data_type.numpy, cupy.cuda.MemoryPointer(memory, 0), strides=strides
    )


def to_floats(cupy: ModuleType, spec: TensorSpec, view: Any) -> Any:
    """Copy a view to float32 (n, c, h, w), int8 times its scale, on the current stream."""
    floats = to_nchw(spec, view).astype(cupy.float32)
    return floats * np.float32(scale_of(spec)) if spec.data_type is DataType.INT8 else floats


def to_detections(cupy: ModuleType, xyxy: Any, scores: Any, class_ids: Any) -> Detections:
    """Bring candidates to the CPU; waits for the current stream."""
    return Detections(
        cupy.asnumpy(xyxy).astype(np.float32).reshape(-1, 4),
        cupy.asnumpy(scores).astype(np.float32).reshape(-1),
        cupy.asnumpy(class_ids).astype(np.int32).reshape(-1),
    )


class _Named:
    """Name a stream as the CUDA stream protocol wants it: version 0, and the handle."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle
