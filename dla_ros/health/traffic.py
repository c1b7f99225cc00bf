"""What passes through one image topic while its detector is active."""

from collections.abc import Callable
from time import monotonic

from dla_ros.health.finding import Finding
from dla_ros.health.hearing import Hearing
from dla_ros.health.judge import CameraState
from dla_ros.health.recent import Recent
from dla_ros.health.stamps import Age
from dla_ros.health.window import Tally, Window, WINDOW_S


class Traffic:
    """
    Remember when images and detections came, and the times they took, of the last seconds.

    Each ``see_`` is called by one thread and costs next to nothing; counters are only looked at
    (``look``) once in a while.
    """

    def __init__(self, topic: str, clock: Callable[[], float] = monotonic) -> None:
        """Start inactive; ``clock`` counts seconds."""
        self._topic = topic
        self._clock = clock
        self.begin(Tally())

    def begin(self, tally: Tally) -> None:
        """Forget everything: the images of an earlier activation say nothing of this one."""
        self._since_s = self._clock()
        self._first_image_s: float | None = None
        self._image_s: float | None = None
        self._detection_s: float | None = None
        self._refusal = ('', -WINDOW_S)
        self._doubt: tuple[Finding | None, float] = (None, 0.0)
        self._window = Window()
        self.look(tally)
        self._processing_ms = Recent(clock=self._clock)
        self._latency_ms = Recent(clock=self._clock)

    @property
    def has_images(self) -> bool:
        """Return whether images have come since ``begin``."""
        return self._image_s is not None

    def see_image(self) -> None:
        """Take note of an image that has arrived."""
        self._image_s = self._clock()
        if self._first_image_s is None:
            self._first_image_s = self._image_s

    def see_detections(self, processing_ms: float, age: Age) -> None:
        """Take note of detections: of their time since arrival, and since the image's stamp."""
        self._detection_s = self._clock()
        self._processing_ms.add(processing_ms)
        if age.doubt is not None:
            self._doubt = (age.doubt, self._detection_s)
        elif age.ms is not None:
            self._latency_ms.add(age.ms)

    def see_refusal(self, reason: str) -> None:
        """Take note of an image that could not be read."""
        self._refusal = (reason, self._clock())

    def look(self, tally: Tally) -> None:
        """Take note of the counters."""
        self._window.add(self._clock(), tally)

    def state(self, hearing: Hearing, causes: str = '') -> CameraState:
        """Return how the topic does now; who is heard, and why not, others know."""
        refusal, refused_s = self._refusal
        doubt, doubted_s = self._doubt
        first_s = self._first_image_s
        return CameraState(
            topic=self._topic,
            active_s=self._clock() - self._since_s,
            image_age_s=self._age(self._image_s),
            detection_age_s=self._age(self._detection_s),
            flow=self._window.flow(self._since_s if first_s is None else first_s),
            refusal=refusal if self._is_recent(refused_s) else '',
            doubt=doubt if self._is_recent(doubted_s) else None,
            processing_ms=self._processing_ms.percentiles(),
            latency_ms=self._latency_ms.percentiles(),
            hearing=hearing,
            causes=causes,
        )

    def _age(self, at_s: float | None) -> float | None:
        return None if at_s is None else self._clock() - at_s

    def _is_recent(self, at_s: float) -> bool:
        return self._clock() - at_s < WINDOW_S
