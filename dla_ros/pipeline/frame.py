"""One picture on its way, before anybody has looked at it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

from dla_ros.image import ImageView


@dataclass(frozen=True, eq=False)
class Frame:
    """
    Hold what was received: where from, what goes back with the result, how to see the picture.

    ``source`` names the camera or topic: of each source only the newest waiting frame is kept.
    ``token`` is carried to the result untouched (a ROS message). ``load`` gives the picture, once
    the frame is taken up, and may raise ImageError: decoding a JPEG belongs there. It runs on the
    slot's stream where the CPU prepares the picture; for the GPU, in the thread that submits.
    ``received_ns`` is ``time.perf_counter_ns`` at receipt. No two frames are equal.
    """

    source: str
    token: Any
    load: Callable[[], ImageView]
    received_ns: int = field(default_factory=perf_counter_ns)
