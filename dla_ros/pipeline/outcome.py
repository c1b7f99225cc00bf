"""What one run of the network gave, copied out of its slot."""

from collections.abc import Sequence
from dataclasses import dataclass

from dla_ros.detections import Detections, Float32
from dla_ros.image import ImageView
from dla_ros.letterbox import Letterbox


@dataclass(frozen=True)
class Picture:
    """Hold an image and where it lies in the network's rectangle."""

    image: ImageView
    letterbox: Letterbox


@dataclass(frozen=True)
class Outcome:
    """
    Hold what the network gave, copied out: the slot may be used again.

    ``outputs`` are float32 (n, c, h, w) in the engine's order; where ``found`` is not None, the
    device has decoded them already, with the threshold at submission, and they are left behind.
    """

    picture: Picture
    outputs: Sequence[Float32]
    preprocess_ms: float
    inference_ms: float
    found: Detections | None = None
