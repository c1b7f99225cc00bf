"""Counters, looked at again and again: what was added to them in the last seconds."""

from collections import deque
from dataclasses import astuple, dataclass

WINDOW_S = 10.0


@dataclass(frozen=True)
class Tally:
    """Hold what has been counted of one image topic."""

    received: int = 0
    lost: int = 0
    processed: int = 0
    invalid: int = 0


@dataclass(frozen=True)
class Flow:
    """Hold what was counted within ``span_s`` seconds."""

    span_s: float
    counted: Tally

    @property
    def rate_in(self) -> float:
        """Return the images received in a second."""
        return self.counted.received / self.span_s

    @property
    def rate_out(self) -> float:
        """Return the images answered in a second."""
        return self.counted.processed / self.span_s

    @property
    def loss(self) -> float:
        """Return the share of images that were sent and did not arrive, 0 to 1."""
        sent = self.counted.received + self.counted.lost
        return self.counted.lost / sent if sent else 0.0


class Window:
    """Remember the tallies of the last ``length_s`` seconds, and one that is older."""

    def __init__(self, length_s: float = WINDOW_S) -> None:
        """Start with nothing."""
        self._length_s = length_s
        self._seen: deque[tuple[float, Tally]] = deque()

    def add(self, now_s: float, tally: Tally) -> None:
        """Remember what has been counted by now."""
        self._seen.append((now_s, tally))
        while len(self._seen) > 2 and self._seen[1][0] <= now_s - self._length_s:
            self._seen.popleft()

    def flow(self, first_image_s: float) -> Flow | None:
        """
        Return what was counted between the oldest and the newest tally.

        The time before ``first_image_s`` does not count: a camera that has just come is not slow.
        None: nothing can be said yet.
        """
        if not self._seen:
            return None
        (oldest_s, first), (end_s, last) = self._seen[0], self._seen[-1]
        span_s = end_s - max(oldest_s, first_image_s)
        if span_s <= 0:
            return None
        pairs = zip(astuple(first), astuple(last), strict=True)
        return Flow(span_s, Tally(*(after - before for before, after in pairs)))
