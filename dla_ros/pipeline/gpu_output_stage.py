"""The output stage where the GPU decodes, so that only candidates reach the CPU."""

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.engines.protocol import Binding
from dla_ros.heads.cuda.decoder import CudaDecoder
from dla_ros.heads.cuda.plan import DecodePlan
from dla_ros.heads.cupy_arrays import find_cupy, show, to_detections, to_floats, to_stream
from dla_ros.heads.gpu_head import GpuHead
from dla_ros.pipeline.output_stage import HostOutputStage, Readout
from dla_ros.tensors.spec import TensorSpec


class CudaOutputStage:
    """Decode in stream order; where there are more candidates than fit, let the CPU do it."""

    def __init__(
        self,
        device: CudaDevice,
        binding: Binding,
        specs: tuple[TensorSpec, ...],
        plan: DecodePlan,
    ) -> None:
        """Compile and load the kernels, and use them once."""
        self._device, self._binding, self._specs = device, binding, specs
        self._decoder = CudaDecoder.open(plan, specs, binding.outputs, device)
        self._outputs: HostOutputStage | None = None
        try:
            # Once for nothing: see CudaPreprocessor.rehearse.
            self._decoder.enqueue(binding.stream, 1.0)
            binding.stream.synchronize()
        except BaseException:
            self._decoder.close()
            raise

    def submit(self, confidence: float) -> None:
        """Decode what reaches ``confidence``."""
        self._decoder.enqueue(self._binding.stream, confidence)

    def take(self) -> Readout:
        """Give the candidates; the outputs where those were too many for the list."""
        found = self._decoder.take()
        if found is not None:
            return Readout([], found)
        if self._outputs is None:
            self._outputs = HostOutputStage(self._device, self._binding, self._specs)
        self._outputs.submit(0.0)
        self._binding.stream.synchronize()
        return self._outputs.take()

    def close(self) -> None:
        """Give memory and kernels back; a second call does nothing."""
        self._decoder.close()
        if self._outputs is not None:
            self._outputs.close()


class CupyOutputStage:
    """
    Let the head decode after the network, on the slot's stream.

    How many candidates there are is known to CuPy only when the network has run, so decoding
    starts in ``take``, not in ``submit``: nobody may wait there.
    """

    def __init__(self, binding: Binding, specs: tuple[TensorSpec, ...], head: GpuHead) -> None:
        """Look at the outputs; raise DeviceError where CuPy is missing."""
        self._cupy = find_cupy(f"head '{type(head).__name__}'")
        self._head, self._specs = head, specs
        self._stream = to_stream(self._cupy, binding.stream)
        self._views = [
            show(self._cupy, spec, buffer)
            for spec, buffer in zip(specs, binding.outputs, strict=True)
        ]
        self._confidence = 0.0

    def submit(self, confidence: float) -> None:
        """Remember the threshold."""
        self._confidence = confidence

    def take(self) -> Readout:
        """Decode, and bring the candidates to the CPU."""
        with self._stream:
            pairs = zip(self._specs, self._views, strict=True)
            outputs = [to_floats(self._cupy, spec, view) for spec, view in pairs]
            found = self._head.decode_on_gpu(outputs, self._confidence)
            return Readout([], to_detections(self._cupy, *found))

    def close(self) -> None:
        """Let go of the views; a second call does nothing."""
        self._views = []
