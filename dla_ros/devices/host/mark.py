"""A place in a host stream that somebody may wait for."""

from threading import Lock
from time import perf_counter_ns

from dla_ros.errors import DeviceError


class Mark:
    """
    Be reached once by a stream's worker, at a time, with or without a failure before it.

    A bare lock, held until then, is the cheapest thing to wait for: no Condition, no second lock.
    """

    __slots__ = ('_gate', 'failure', 'time_ns')

    def __init__(self) -> None:
        """Start unreached."""
        self._gate = Lock()
        self._gate.acquire()
        self.time_ns: int | None = None
        self.failure: BaseException | None = None

    def reach(self, failure: BaseException | None) -> None:
        """Take the time, keep what broke the stream before this place, let the waiters go."""
        self.failure = failure
        self.time_ns = perf_counter_ns()
        self._gate.release()

    def wait(self, timeout_s: float | None) -> bool:
        """Wait, GIL released; False if time ran out; DeviceError if work before it failed."""
        if not self._gate.acquire(timeout=-1 if timeout_s is None else max(timeout_s, 0.0)):
            return False
        self._gate.release()
        if self.failure is not None:
            raise DeviceError(
                f'work on a host stream failed: {type(self.failure).__name__}: {self.failure}'
            ) from self.failure
        return True
