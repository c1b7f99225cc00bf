"""One emulated DLA core: it runs one task at a time, in order of arrival."""

from collections import deque
from collections.abc import Callable
from threading import Lock
from time import monotonic, sleep


class Core:
    """
    Keep the time of one core; ``busy_s`` is the sum over its tasks, ``is_hung`` while one hangs.

    A task takes ``task_s`` on the core's own time line, from its arrival or from the end of the
    task before, whichever is later; sleeping goes to that absolute time, so that a thread which
    wakes up late does not make the core slower.
    """

    def __init__(self) -> None:
        """Start idle."""
        self._lock = Lock()
        self._waiting: deque[Lock] = deque()
        self._is_busy = False
        self._free_at = 0.0
        self.busy_s = 0.0
        self.is_hung = False

    def run(self, work: Callable[[], None], task_s: float) -> None:
        """Wait for the turn, run ``work``, and stay busy until ``task_s`` are over."""
        arrival = monotonic()
        self._take_turn()
        start = max(arrival, self._free_at)
        try:
            work()
            # Work that takes longer than it should moves the end; work that fails ends at once.
            self._free_at = max(start + task_s, monotonic())
            if (left_s := self._free_at - monotonic()) > 0:
                sleep(left_s)
        except BaseException:
            self._free_at = monotonic()
            raise
        finally:
            self.busy_s += self._free_at - start
            self._end_turn()

    def _take_turn(self) -> None:
        """Queue up; threading.Lock alone would let a later thread pass."""
        with self._lock:
            if not self._is_busy:
                self._is_busy = True
                return
            gate = Lock()
            gate.acquire()
            self._waiting.append(gate)
        gate.acquire()

    def _end_turn(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_busy = False
