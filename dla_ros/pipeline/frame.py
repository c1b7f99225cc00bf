"""One picture on its way, before anybody has looked at it."""

from concurrent.futures import Future
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

from dla_ros.array_image import Load
from dla_ros.detections import Detections


@dataclass(frozen=True, eq=False)
class Frame:
    """
    Hold what was received: where from, what goes back with the result, how to see the picture.

    ``source`` names the camera or topic: of each source only the newest waiting frame is kept.
    ``token`` is carried to the result untouched (a ROS message). ``load`` returns the image, once
    the frame is taken up, and may raise ImageError: decoding a JPEG belongs there. It runs on the
    slot's stream where the CPU prepares the picture; for the GPU, in the thread that submits.
    ``received_ns`` is ``time.perf_counter_ns`` at receipt. ``answer`` belongs to a frame that
    somebody waits for: no other takes its place, and what becomes of it is told there alone. No
    two frames are equal.
    """

    source: str
    token: Any
    load: Load
    received_ns: int = field(default_factory=perf_counter_ns)
    answer: 'Future[Detections] | None' = None
