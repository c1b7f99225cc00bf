"""Python functions in a CUDA stream, through one C function."""

from collections.abc import Callable
import ctypes
from itertools import count

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check

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
