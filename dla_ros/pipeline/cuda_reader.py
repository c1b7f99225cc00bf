"""Outputs decoded by the GPU, so that only candidates reach the CPU."""

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.engines.protocol import Binding
from dla_ros.heads.cuda.decoder import CudaDecoder
from dla_ros.heads.cuda.plan import DecodePlan
from dla_ros.pipeline.host_reader import HostReader
from dla_ros.pipeline.reader import Readout
from dla_ros.tensors.spec import TensorSpec


class CudaReader:
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
        self._outputs: HostReader | None = None
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
            self._outputs = HostReader(self._device, self._binding, self._specs)
        self._outputs.submit(0.0)
        self._binding.stream.synchronize()
        return self._outputs.take()

    def close(self) -> None:
        """Give memory and kernels back; a second call does nothing."""
        self._decoder.close()
        if self._outputs is not None:
            self._outputs.close()
