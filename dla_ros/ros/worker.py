"""A thread that does one job at a time, for work too long for an executor."""

from collections.abc import Callable
from concurrent.futures import Future
import threading
from typing import Any


class Worker:
    """
    Run one job at a time on a thread of its own; a second one is refused while the first runs.

    The thread is a daemon: a driver call that never returns must not keep the process alive.
    """

    def __init__(self, name: str) -> None:
        """Start nothing yet."""
        self._name = name
        self._lock = threading.Lock()
        self._running: Future[Any] | None = None
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Tell whether a job runs now."""
        with self._lock:
            return self._is_occupied()

    def start(self, job: Callable[[], Any]) -> 'Future[Any] | None':
        """Start a job and give its future, or None if another one runs or the worker is closed."""
        with self._lock:
            if self._is_closed or self._is_occupied():
                return None
            self._running = future = Future()
        threading.Thread(target=_finish, args=(future, job), name=self._name, daemon=True).start()
        return future

    def start_next(self, job: Callable[[], Any]) -> None:
        """Start a job now, or as soon as the running one has ended."""
        with self._lock:
            running = self._running if self._is_occupied() else None
        if running is not None:
            running.add_done_callback(lambda _: self.start_next(job))
        elif self.start(job) is None and not self._is_closed:
            self.start_next(job)  # another one was quicker

    def close(self, timeout_s: float) -> bool:
        """Take no more jobs, wait for the running one; tell whether it ended in time."""
        with self._lock:
            self._is_closed = True
            running = self._running
        if running is None:
            return True
        done = threading.Event()
        running.add_done_callback(lambda _: done.set())
        return done.wait(timeout_s)

    def _is_occupied(self) -> bool:
        return self._running is not None and not self._running.done()


def _finish(future: 'Future[Any]', job: Callable[[], Any]) -> None:
    try:
        future.set_result(job())
    except BaseException as err:  # handed on: whoever reads the future raises it
        future.set_exception(err)
