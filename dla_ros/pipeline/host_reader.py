"""Outputs read by the CPU, which decodes them."""

from dla_ros.devices.protocol import Device, Mirror
from dla_ros.engines.protocol import Binding
from dla_ros.held import Held
from dla_ros.pipeline.reader import Readout
from dla_ros.tensors.spec import TensorSpec
from dla_ros.tensors.unpack import to_floats
from dla_ros.tensors.view import to_view


class HostReader:
    """Own a mirror of each output."""

    def __init__(self, device: Device, binding: Binding, specs: tuple[TensorSpec, ...]) -> None:
        """Open the mirrors; what is refused half-way gives the rest back."""
        self._stream = binding.stream
        self._specs = specs
        self._mirrors: list[Mirror] = []
        with Held() as taken:
            for buffer in binding.outputs:
                self._mirrors.append(device.open_mirror(buffer))
                taken.callback(self._mirrors[-1].close)
            # Made once: each looks into its geometry first, which a frame need not pay for.
            pairs = zip(specs, self._mirrors, strict=True)
            self._views = [to_view(spec, mirror.host) for spec, mirror in pairs]
            self._taken = taken.pop_all()

    def submit(self, confidence: float) -> None:
        """Fetch the outputs."""
        for mirror in self._mirrors:
            mirror.fetch(self._stream)

    def take(self) -> Readout:
        """Copy the outputs out as floats."""
        pairs = zip(self._specs, self._views, strict=True)
        return Readout([to_floats(spec, view) for spec, view in pairs])

    def close(self) -> None:
        """Close the mirrors; a second call does nothing."""
        self._taken.close()
