"""Work of a service too long for its executor."""

from collections.abc import Callable
from concurrent.futures import Future, wait
import threading
from typing import Any


class Jobs:
    """Run each job on a thread of its own; a daemon, so that a stuck one holds no process."""

    def __init__(self) -> None:
        """Start with none."""
        self._running: set[Future[Any]] = set()

    def start(self, job: Callable[[], Any]) -> 'Future[Any]':
        """Start a job; its future gives what it gives, or raises what it raised."""
        future: Future[Any] = Future()
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        threading.Thread(target=_do, args=(job, future), daemon=True).start()
        return future

    def wait(self, timeout_s: float) -> bool:
        """Wait for those that run; tell whether they ended in time."""
        return not wait(list(self._running), timeout_s).not_done


def _do(job: Callable[[], Any], future: 'Future[Any]') -> None:
    try:
        future.set_result(job())
    except BaseException as err:  # handed on: whoever reads the future raises it
        future.set_exception(err)
