"""What comes out for one frame."""

from dataclasses import dataclass

from dla_ros.detections import Detections
from dla_ros.image import ImageView
from dla_ros.pipeline.frame import Frame


@dataclass(frozen=True)
class Timings:
    """
    Hold the milliseconds one frame took.

    ``preprocess_ms``: load the picture and write the input. ``inference_ms``: from the written
    input to the outputs, a wait for the core included while another slot's task runs on it.
    ``postprocess_ms``: outputs to boxes. ``total_ms``: receipt to result, all waiting included.
    """

    preprocess_ms: float
    inference_ms: float
    postprocess_ms: float
    total_ms: float


@dataclass(frozen=True)
class Result:
    """Hold the detections of one frame, in pixels of its ``image`` and clipped to it."""

    frame: Frame
    image: ImageView
    detections: Detections
    timings: Timings
