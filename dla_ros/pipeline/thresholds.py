"""What a detection must reach to be told."""

from dataclasses import dataclass

from dla_ros.errors import ConfigError


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
