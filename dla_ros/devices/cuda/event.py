"""CUDA events, and waiting for them without holding Python's lock."""

from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check, Status
from dla_ros.devices.cuda.stream import CudaStream
from dla_ros.devices.protocol import Event, Stream
from dla_ros.errors import DeviceError


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


class CudaEvent:
    """Mark a place in a CUDA stream; waiting for an event that was never recorded is refused."""

    def __init__(self) -> None:
        """Create it; raise DeviceError if CUDA refuses."""
        # Blocking: the thread that waits sleeps instead of spinning on a core of the robot.
        flags = runtime.cudaEventBlockingSync
        self._event = check(runtime.cudaEventCreateWithFlags(flags), 'creating an event')
        self._stream: CudaStream | None = None
        self._waiter: Waiter | None = None
        self._is_closed = False

    @property
    def handle(self) -> int:
        """Give the event as CUDA's C interfaces take it."""
        return int(self._event)

    def record(self, stream: Stream) -> None:
        """Mark the place after all that is enqueued on a CUDA stream; forget the earlier mark."""
        self._refuse_if_closed()
        if not isinstance(stream, CudaStream):
            raise TypeError(f'a CUDA event cannot mark a {type(stream).__name__}')
        stream.check(runtime.cudaEventRecord(self._event, stream.handle), 'recording an event')
        self._stream = stream

    def wait(self, timeout_s: float | None = None) -> bool:
        """
        Wait, GIL released, until the mark is reached; False if ``timeout_s`` ran out before.

        Raise DeviceError if work before the mark failed, or where there is no mark.
        """
        stream = self._marked()
        status, *_ = runtime.cudaEventQuery(self._event)
        if status == Status.cudaErrorNotReady:
            if not self._sleep(stream, timeout_s):
                return False
        else:
            stream.check((status,), 'waiting for an event')
        stream.raise_failure()
        return True

    def elapsed_ms_since(self, earlier: Event) -> float:
        """Give the milliseconds between two reached marks; raise DeviceError if one is not."""
        if not isinstance(earlier, CudaEvent):
            raise TypeError(f'a CUDA event cannot be compared with a {type(earlier).__name__}')
        earlier._marked()
        self._marked()
        span = runtime.cudaEventElapsedTime(earlier._event, self._event)
        return float(check(span, 'timing two events'))

    def close(self) -> None:
        """Release the event; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self._stream = None
        if self._waiter is not None:
            self._waiter.close()
        runtime.cudaEventDestroy(self._event)

    def _sleep(self, stream: CudaStream, timeout_s: float | None) -> bool:
        if timeout_s is None:
            stream.check(runtime.cudaEventSynchronize(self._event), 'waiting for an event')
            return True
        if timeout_s <= 0:
            return False
        if self._waiter is None:
            self._waiter = Waiter(self._event)
        result = self._waiter.wait(timeout_s)
        if result is None:
            return False
        stream.check(result, 'waiting for an event')
        return True

    def _marked(self) -> CudaStream:
        self._refuse_if_closed()
        if self._stream is None:
            raise DeviceError('CUDA event marks no place; record it on a stream first')
        return self._stream

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise DeviceError('CUDA event is closed; open another')
