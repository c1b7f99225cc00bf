"""CUDA streams, and host functions in their order."""

from collections.abc import Callable
import ctypes
from functools import partial
from itertools import count
from typing import Any

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check, is_lost, release
from dla_ros.errors import DeviceError

_keys = count(1)
_waiting: dict[int, tuple[int, Callable[[], None]]] = {}  # by key: stream and work


def _run(key: int) -> None:
    """Run one piece of work on CUDA's thread; ctypes takes the GIL for it."""
    _waiting.pop(key)[1]()


_c_run = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_run)
_host_function = runtime.cudaHostFn_t(init_value=ctypes.cast(_c_run, ctypes.c_void_p).value)


def launch(handle: int, work: Callable[[], None]) -> None:
    """
    Run ``work`` after everything on the stream (cudaLaunchHostFunc); raise DeviceError if refused.

    ``work`` must catch whatever it raises and call nothing of CUDA: the driver forbids that there.
    """
    key = next(_keys)
    _waiting[key] = handle, work
    try:
        check(runtime.cudaLaunchHostFunc(handle, _host_function, key), 'enqueueing host work')
    except BaseException:
        del _waiting[key]
        raise


def drop(handle: int) -> None:
    """Forget the work that waits on a stream: once its context is lost, CUDA never runs it."""
    for key, (stream, _) in list(_waiting.items()):
        if stream == handle:
            _waiting.pop(key, None)


_live: dict[int, 'CudaStream'] = {}


class CudaStream:
    """
    Run device and host work in order.

    cuDLA refuses the default stream, and a blocking one would wait for it; so this is created
    with cudaStreamNonBlocking. The first failure of host work breaks the stream: later host work
    is left out and every wait raises.
    """

    def __init__(self) -> None:
        """Create it; raise DeviceError if CUDA refuses."""
        flags = runtime.cudaStreamNonBlocking
        stream = check(runtime.cudaStreamCreateWithFlags(flags), 'creating a stream')
        self.handle = int(stream)
        self._failure: BaseException | None = None
        self._is_closed = False
        self._at_close: list[Callable[[], None]] = []
        _live[self.handle] = self

    def enqueue(self, work: Callable[[], None]) -> None:
        """Run ``work`` on a thread of CUDA's after all that is enqueued; it must not call CUDA."""
        self._refuse_if_closed()
        launch(self.handle, partial(self._attempt, work))

    def synchronize(self) -> None:
        """Wait for all work, GIL released; raise DeviceError if some of it failed."""
        self._refuse_if_closed()
        self.check(runtime.cudaStreamSynchronize(self.handle), 'waiting for a stream')
        self.raise_failure()

    def check(self, result: tuple[Any, ...], doing: str) -> None:
        """Check a call on this stream; once the context is lost its host work never runs."""
        self._forget_if_lost(result)
        check(result, doing)

    def raise_failure(self) -> None:
        """Raise DeviceError if host work on this stream has failed."""
        if self._failure is not None:
            raise DeviceError(
                f'work on a CUDA stream failed: {type(self._failure).__name__}: {self._failure}'
            ) from self._failure

    def on_close(self, give_back: Callable[[], None]) -> None:
        """Call ``give_back`` when all work is over and the stream is closed."""
        self._at_close.append(give_back)

    def close(self) -> None:
        """Let the enqueued work end and destroy the stream; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        _live.pop(self.handle, None)
        result = runtime.cudaStreamSynchronize(self.handle)
        self._forget_if_lost(result)
        try:
            release(result, 'waiting for a stream')
        finally:
            runtime.cudaStreamDestroy(self.handle)
            for give_back in self._at_close:
                give_back()

    def _forget_if_lost(self, result: tuple[Any, ...]) -> None:
        if is_lost(result[0]):
            drop(self.handle)

    def _attempt(self, work: Callable[[], None]) -> None:
        if self._failure is not None:
            return
        try:
            work()
        except BaseException as error:
            self._failure = error

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise DeviceError(f'CUDA stream {self.handle:#x} is closed; open another')


def stream_of(handle: int) -> CudaStream | None:
    """Give the open stream with this handle, or None."""
    return _live.get(handle)
