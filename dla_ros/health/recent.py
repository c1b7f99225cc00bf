"""Times of the last frames, and their percentiles."""

from collections import deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

from dla_ros.health.window import WINDOW_S
import numpy as np

_MOST = 4096  # more frames than that come in no ten seconds


class Recent:
    """Remember the values of the last ``length_s`` seconds; from any thread."""

    def __init__(self, length_s: float = WINDOW_S, clock: Callable[[], float] = monotonic) -> None:
        """Start with none; ``clock`` counts seconds."""
        self._length_s = length_s
        self._clock = clock
        self._lock = Lock()
        self._values: deque[tuple[float, float]] = deque(maxlen=_MOST)

    def add(self, value: float) -> None:
        """Remember a value."""
        with self._lock:
            self._values.append((self._clock(), value))

    def percentiles(self) -> tuple[float, float] | None:
        """Return p50 and p99; None where there was nothing in the time."""
        oldest = self._clock() - self._length_s
        with self._lock:
            while self._values and self._values[0][0] < oldest:
                self._values.popleft()
            values = [value for _, value in self._values]
        if not values:
            return None
        p50, p99 = np.percentile(values, (50, 99))
        return float(p50), float(p99)
