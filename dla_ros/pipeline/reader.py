"""The contract of what brings a network's outputs to the CPU."""

from dataclasses import dataclass
from typing import Protocol

from dla_ros.detections import Detections, Float32


@dataclass(frozen=True)
class Readout:
    """
    Hold what came out of a network.

    ``outputs`` are float32 (n, c, h, w) in the engine's order, or none where ``found`` holds the
    candidates that a device has decoded from them already.
    """

    outputs: list[Float32]
    found: Detections | None = None


class Reader(Protocol):
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
