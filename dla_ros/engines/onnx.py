"""ONNX Runtime as an engine: the reference, and the way onto whatever it has a provider for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dla_ros.devices.protocol import Buffer, Device, Stream
from dla_ros.engines.onnx_placement import to_placement
from dla_ros.engines.onnx_session import CPU, OnnxSession, Port, ProviderOptions
from dla_ros.engines.protocol import Binding
from dla_ros.errors import EngineError
from dla_ros.held import Held
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out, TensorSpec, to_dims
import numpy as np
from numpy.typing import NDArray

DATA_TYPES = {each.numpy: each for each in DataType}


class OnnxBinding:
    """Hold the buffers of one task in flight, and the run that reads and writes them in place."""

    def __init__(self, session: OnnxSession, device: Device, stream: Stream) -> None:
        """Allocate the buffers; raise EngineError if the CPU cannot reach them."""
        self.stream = stream
        with Held() as taken:
            self.inputs = _allocate(session.inputs, device, taken)
            self.outputs = _allocate(session.outputs, device, taken)
            self.run = session.bind(
                _to_arrays(session.inputs, self.inputs), _to_arrays(session.outputs, self.outputs)
            )
            self._taken = taken.pop_all()

    def close(self) -> None:
        """Free the buffers; the stream has been synchronized before."""
        self._taken.close()


class OnnxEngine:
    """
    Run an ONNX model where its execution providers run it.

    Tensors are linear, of the model's own types (fp32, fp16, int8); models with fewer than four
    sizes are shown with four, see :func:`dla_ros.tensors.spec.to_dims`.
    """

    backend = 'onnx'
    is_emulated = False

    def __init__(
        self, session: OnnxSession, device: Device, placement: str, scales: Mapping[str, float]
    ) -> None:
        """Take over an opened session; use :meth:`open`."""
        self._session = session
        self._device = device
        self.placement = placement
        self.inputs = tuple(_to_spec(port, scales) for port in session.inputs)
        self.outputs = tuple(_to_spec(port, scales) for port in session.outputs)

    @classmethod
    def open(
        cls,
        path: str | Path | bytes,
        device: Device,
        *,
        providers: Sequence[str] = (CPU,),
        provider_options: ProviderOptions | None = None,
        threads: int | None = None,
        scales: Mapping[str, float] | None = None,
        content: bytes | None = None,
    ) -> 'OnnxEngine':
        """
        Load a model; ``scales`` are the int8 steps of its tensors, where it has such.

        On a Jetson with ``TensorrtExecutionProvider`` and the options ``trt_dla_enable`` and
        ``trt_dla_core`` TensorRT places layers on the DLA and the others on the GPU. Raise
        EngineError if the library, a provider or the model is missing or refused.
        """
        session = OnnxSession.open(
            path,
            providers=providers,
            provider_options=provider_options,
            threads=threads,
            content=content,
        )
        try:
            placement = to_placement(session.providers, provider_options or {})
            return cls(session, device, placement, scales or {})
        except BaseException:
            session.close()
            raise

    def bind(self, stream: Stream) -> OnnxBinding:
        """Allocate the buffers for one slot; raise EngineError or DeviceError."""
        return OnnxBinding(self._session, self._device, stream)

    def submit(self, binding: Binding) -> None:
        """Enqueue one run; what fails in it breaks the stream, whose waits then say why."""
        if not isinstance(binding, OnnxBinding):
            raise TypeError(f'an ONNX engine cannot run a {type(binding).__name__}')
        binding.stream.enqueue(binding.run)

    def last_error(self) -> None:
        """Know nothing more: a stream that broke carries ONNX Runtime's own words."""

    def close(self) -> None:
        """Release the model; a second call does nothing."""
        self._session.close()


def _to_spec(port: Port, scales: Mapping[str, float]) -> TensorSpec:
    if port.dtype not in DATA_TYPES:
        known = ', '.join(str(dtype) for dtype in DATA_TYPES)
        raise EngineError(
            f"'{port.name}' has elements of type {port.dtype}; known are {known}. "
            'Export the model with such inputs and outputs, without pre- or postprocessing in it'
        )
    data_type = DATA_TYPES[port.dtype]
    scale = scales.get(port.name) if data_type is DataType.INT8 else None
    return lay_out(port.name, to_dims(port.name, port.dims), data_type, Layout.LINEAR, scale)


def _allocate(ports: Sequence[Port], device: Device, taken: Held) -> tuple[Buffer, ...]:
    buffers = []
    for port in ports:
        buffers.append(device.allocate(int(np.prod(port.dims)) * port.dtype.itemsize))
        taken.callback(buffers[-1].close)
    return tuple(buffers)


def _to_arrays(ports: Sequence[Port], buffers: Sequence[Buffer]) -> list[NDArray[Any]]:
    return [_to_array(port, buffer) for port, buffer in zip(ports, buffers, strict=True)]


def _to_array(port: Port, buffer: Buffer) -> NDArray[Any]:
    if buffer.host is None:
        raise EngineError(
            f"the buffer of '{port.name}' is out of reach of the CPU, where ONNX Runtime takes "
            'and leaves its tensors; open the ONNX engine on the host device'
        )
    return buffer.host[: buffer.nbytes].view(port.dtype).reshape(port.dims)
