"""How often, and after which pause, something that failed is tried again."""

from collections import deque
from collections.abc import Callable
import time

WINDOW_S = 60.0
_FIRST_S = 0.5
_LONGEST_S = 10.0


class Patience:
    """
    Allow so many attempts within a minute, each after twice the pause of the one before.

    A minute without attempts brings everything back.
    """

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        """Begin with all ``most`` attempts; ``now`` is the clock, in seconds."""
        self.most = most
        self._now = now
        self._spent: deque[float] = deque()

    @property
    def spent(self) -> int:
        """Return how many attempts fell into the last minute."""
        while self._spent and self._now() - self._spent[0] >= WINDOW_S:
            self._spent.popleft()
        return len(self._spent)

    @property
    def is_over(self) -> bool:
        """Tell whether no attempt is left."""
        return self.spent >= self.most

    @property
    def pause_s(self) -> float:
        """Return how long to wait before the next attempt."""
        return min(_FIRST_S * 2**self.spent, _LONGEST_S)

    def spend(self) -> None:
        """Count an attempt."""
        self._spent.append(self._now())
