"""What a detector's images are held against."""

from dataclasses import dataclass
import math

from dla_ros.config import DetectorConfig

_INTERVALS = 3  # so many images of the expected rate may be missing before the silence is one


@dataclass(frozen=True)
class Limits:
    """Hold what is expected of an image topic; 0 where nothing is."""

    expected_rate: float = 0.0
    image_timeout_s: float = 5.0
    latency_limit_ms: int = 0
    task_timeout_s: float = 2.0

    @classmethod
    def of(cls, config: DetectorConfig) -> 'Limits':
        """Take the limits out of the settings."""
        return cls(
            config.expected_rate,
            config.image_timeout_ms / 1000,
            config.latency_limit_ms,
            config.task_timeout_ms / 1000,
        )

    @property
    def silence_s(self) -> float:
        """Return the seconds after which a camera that sends nothing is in trouble."""
        if not self.image_timeout_s:
            return math.inf
        slow_s = _INTERVALS / self.expected_rate if self.expected_rate else 0.0
        return max(self.image_timeout_s, slow_s)

    @property
    def unanswered_s(self) -> float:
        """Return the seconds within which the newest images must have been answered."""
        return self.silence_s + self.task_timeout_s
