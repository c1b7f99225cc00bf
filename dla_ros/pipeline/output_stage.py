"""The output stage: what brings a network's outputs to the CPU."""

from dataclasses import dataclass
from typing import cast, Protocol, TYPE_CHECKING

from dla_ros.detections import Detections, Float32
from dla_ros.devices.protocol import Device, HostCopy
from dla_ros.engines.protocol import Binding
from dla_ros.heads.gpu_head import is_gpu_head
from dla_ros.heads.protocol import Head
from dla_ros.held import Held
from dla_ros.tensors.packing import to_floats
from dla_ros.tensors.spec import TensorSpec
from dla_ros.tensors.view import to_view

if TYPE_CHECKING:
    from dla_ros.devices.cuda.device import CudaDevice


@dataclass(frozen=True)
class Readout:
    """
    Hold what came out of a network.

    ``outputs`` are float32 (n, c, h, w) in the engine's order, or none where ``found`` holds the
    candidates that a device has decoded from them already.
    """

    outputs: list[Float32]
    found: Detections | None = None


class OutputStage(Protocol):
    """Belong to one slot: to its stream and its outputs."""

    def submit(self, confidence: float) -> None:
        """
        Enqueue what is to be done with the outputs, behind the network.

        ``confidence`` is the least score of a candidate. Raise DeviceError if the device refuses.
        """

    def take(self) -> Readout:
        """Copy out what was read, so that the slot may be used again; the stream has passed."""

    def close(self) -> None:
        """Give memory back, the stream being idle; a second call does nothing."""


class HostOutputStage:
    """Own a host copy of each output."""

    def __init__(self, device: Device, binding: Binding, specs: tuple[TensorSpec, ...]) -> None:
        """Open the host copies; what is refused half-way gives the rest back."""
        self._stream = binding.stream
        self._specs = specs
        self._host_copies: list[HostCopy] = []
        with Held() as taken:
            for buffer in binding.outputs:
                self._host_copies.append(device.open_mirror(buffer))
                taken.callback(self._host_copies[-1].close)
            # Made once: each looks into its geometry first, which a frame need not pay for.
            pairs = zip(specs, self._host_copies, strict=True)
            self._views = [to_view(spec, host_copy.host) for spec, host_copy in pairs]
            self._taken = taken.pop_all()

    def submit(self, confidence: float) -> None:
        """Fetch the outputs."""
        for host_copy in self._host_copies:
            host_copy.fetch(self._stream)

    def take(self) -> Readout:
        """Copy the outputs out as floats."""
        pairs = zip(self._specs, self._views, strict=True)
        return Readout([to_floats(spec, view) for spec, view in pairs])

    def close(self) -> None:
        """Close the host copies; a second call does nothing."""
        self._taken.close()


def open_output_stage(
    device: Device, binding: Binding, specs: tuple[TensorSpec, ...], head: Head
) -> OutputStage:
    """Open what reads the binding's outputs; raise DeviceError if the device refuses."""
    if device.name == 'cuda':
        if is_gpu_head(head):
            from dla_ros.pipeline.gpu_output_stage import CupyOutputStage

            return CupyOutputStage(binding, specs, head)
        # CUDA's package is needed only where there is a GPU.
        from dla_ros.heads.cuda.plan import plan_for
        from dla_ros.pipeline.gpu_output_stage import CudaOutputStage

        plan = plan_for(head, specs)
        if plan is not None:
            return CudaOutputStage(cast('CudaDevice', device), binding, specs, plan)
    return HostOutputStage(device, binding, specs)
