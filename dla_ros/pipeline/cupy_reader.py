"""Outputs decoded in CuPy by a head of another package."""

from dla_ros.engines.protocol import Binding
from dla_ros.heads.cupy_arrays import find_cupy, show, to_detections, to_floats, to_stream
from dla_ros.heads.gpu_head import GpuHead
from dla_ros.pipeline.reader import Readout
from dla_ros.tensors.spec import TensorSpec


class CupyReader:
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
