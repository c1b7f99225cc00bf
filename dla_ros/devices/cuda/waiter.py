"""Waiting for a CUDA event with a limit, which CUDA does not offer."""

from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from cuda.bindings import runtime


class Waiter:
    """
    Wait in a thread of its own, so that the caller can give up.

    Asking again and again (cudaEventQuery) would cost a core of a robot more than the frame does.
    The thread is a daemon: an event that never comes cannot keep a process.
    """

    def __init__(self, event: Any) -> None:
        """Start the thread."""
        self._event = event
        self._asked: SimpleQueue[bool] = SimpleQueue()
        self._answer = Lock()
        self._answer.acquire()
        self._is_waiting = False
        self._result: tuple[Any, ...] = ()
        self._thread = Thread(target=self._run, name='cuda-event-wait', daemon=True)
        self._thread.start()

    def wait(self, timeout_s: float) -> tuple[Any, ...] | None:
        """Wait for the event and give what CUDA returned; None if time ran out."""
        if not self._is_waiting:
            self._is_waiting = True
            self._asked.put(True)
        if not self._answer.acquire(timeout=timeout_s):
            return None
        self._is_waiting = False
        return self._result

    def close(self) -> None:
        """End the thread, unless its event never came; then it stays behind."""
        self._asked.put(False)
        if not self._is_waiting:
            self._thread.join()

    def _run(self) -> None:
        while self._asked.get():
            self._result = runtime.cudaEventSynchronize(self._event)
            self._answer.release()
