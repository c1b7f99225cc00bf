"""What a pipeline takes and gives: frames, results, thresholds and who is told."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any, Optional

from dla_ros.detections import Detections, Float32
from dla_ros.errors import ConfigError, ImageError
from dla_ros.images.array_image import Load
from dla_ros.images.image import ImageView
from dla_ros.preprocess.letterbox import Letterbox


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


@dataclass(frozen=True)
class LetterboxedImage:
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

    picture: LetterboxedImage
    outputs: Sequence[Float32]
    preprocess_ms: float
    inference_ms: float
    found: Detections | None = None


@dataclass(frozen=True)
class Thresholds:
    """
    Hold the limits of a result; they may be exchanged while frames are in flight.

    ``confidence`` (0..1) is the least score; ``nms`` (0..1) the overlap (IoU) above which the
    weaker box of a class goes; ``max_detections`` (1 or more) the most boxes of one frame.
    """

    confidence: float = 0.4
    nms: float = 0.6
    max_detections: int = 100

    def __post_init__(self) -> None:
        """Refuse what no result can mean."""
        for name in ('confidence', 'nms'):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ConfigError(f'{name} threshold {getattr(self, name)} is not within 0 and 1')
        if self.max_detections < 1:
            raise ConfigError(f'max_detections {self.max_detections} must be at least 1')


OnResult = Callable[[Result], None]
OnInvalid = Callable[[Frame, ImageError], None]
OnFailure = Callable[[Exception], None]


@dataclass(frozen=True)
class Listeners:
    """
    Hold the functions called from the completion thread, one call at a time.

    ``on_result`` and ``on_invalid`` come in the order in which the frames were taken up;
    ``on_failure`` comes at most once, and nothing after it.
    """

    on_result: OnResult
    on_invalid: OnInvalid
    on_failure: OnFailure

    @classmethod
    def of(
        cls, on_result: OnResult | None, on_invalid: OnInvalid | None, on_failure: OnFailure | None
    ) -> Optional['Listeners']:
        """Return the three together, None where there is none; raise TypeError for a part."""
        if on_result is not None and on_invalid is not None and on_failure is not None:
            return cls(on_result, on_invalid, on_failure)
        if on_result is None and on_invalid is None and on_failure is None:
            return None
        raise TypeError('give on_result, on_invalid and on_failure together, or none of them')
