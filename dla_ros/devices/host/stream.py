"""A stream of the host device: a queue and one worker thread, and marks in its order."""

from collections.abc import Callable
from itertools import count
from queue import SimpleQueue
from threading import current_thread, Lock, Thread
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


Item = Callable[[], None] | Mark | None

# cuda.h keeps 0, 1 and 2 for the default streams, so a created stream is never one of them.
_handles = count(0x1000)
_live: dict[int, 'HostStream'] = {}


class HostStream:
    """
    Run work in order on a thread of its own; the first failure breaks the stream for good.

    ``handle`` is a number that :func:`stream_of` turns back into the stream: what a C interface
    carries as ``cudaStream_t``. The thread is a daemon, so work that hangs cannot keep a process.
    """

    def __init__(self) -> None:
        """Start the worker."""
        self.handle = next(_handles)
        self._items: SimpleQueue[Item] = SimpleQueue()
        self._failure: BaseException | None = None
        self._is_closed = False
        self._lock = Lock()
        self._worker = Thread(target=self._run, name=f'host-stream-{self.handle:#x}', daemon=True)
        _live[self.handle] = self
        self._worker.start()

    def enqueue(self, work: Callable[[], None]) -> None:
        """Run ``work`` after all that is enqueued; raise DeviceError after close."""
        self._put(work)

    def mark(self) -> Mark:
        """Give the place after all that is enqueued; raise DeviceError after close."""
        place = Mark()
        self._put(place)
        return place

    def synchronize(self) -> None:
        """
        Wait for all work, GIL released.

        Raise DeviceError if some of it failed, after close, and on the stream's own thread, which
        would wait for itself (CUDA forbids it in a host function too).
        """
        if current_thread() is self._worker:
            raise DeviceError('a host stream cannot wait for itself from its own work')
        self.mark().wait(None)

    def close(self) -> None:
        """Let the enqueued work end and the thread with it; a second call does nothing."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            self._items.put(None)
        _live.pop(self.handle, None)
        if current_thread() is not self._worker:
            self._worker.join()

    def _put(self, item: Item) -> None:
        # Under the lock nothing can slip in behind the end, where it would wait for ever.
        with self._lock:
            if self._is_closed:
                raise DeviceError(f'host stream {self.handle:#x} is closed; open another')
            self._items.put(item)

    def _run(self) -> None:
        take = self._items.get
        while (item := take()) is not None:
            if isinstance(item, Mark):
                item.reach(self._failure)
            elif self._failure is None:
                self._attempt(item)
            # While the thread sleeps in take() nothing may keep the last work's memory.
            del item

    def _attempt(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._failure = error


def stream_of(handle: int) -> HostStream | None:
    """Give the open stream with this handle, or None."""
    return _live.get(handle)
