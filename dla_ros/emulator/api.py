"""The 13 calls: count, delay, fail on demand, keep the contract, return a status."""

from collections.abc import Callable
import ctypes
from functools import partial
from time import sleep
import traceback
from typing import Any

from dla_ros.emulator.abi import CALLS
from dla_ros.emulator.devices import (
    create_device,
    destroy_device,
    device_get_attribute,
    device_get_count,
    get_last_error,
    get_version,
    set_task_timeout_in_ms,
)
from dla_ros.emulator.memory import mem_register, mem_unregister
from dla_ros.emulator.modules import (
    module_get_attributes,
    module_load_from_memory,
    module_unload,
)
from dla_ros.emulator.refusal import Refusal
from dla_ros.emulator.state import State
from dla_ros.emulator.submit import submit_task
from dla_ros.engines.cudla.status import CudlaStatus, name_of

WORK: dict[str, Callable[..., None]] = {
    'get_version': get_version,
    'device_get_count': device_get_count,
    'create_device': create_device,
    'mem_register': mem_register,
    'module_load_from_memory': module_load_from_memory,
    'module_get_attributes': module_get_attributes,
    'module_unload': module_unload,
    'submit_task': submit_task,
    'device_get_attribute': device_get_attribute,
    'mem_unregister': mem_unregister,
    'get_last_error': get_last_error,
    'destroy_device': destroy_device,
    'set_task_timeout_in_ms': set_task_timeout_in_ms,
}
UNLOCKED = {'module_load_from_memory'}  # takes the lock where it needs it
DRIVER_STATUS = {'missing': CudlaStatus.DRIVER_NOT_FOUND, 'old': CudlaStatus.INVALID_PARAM}


def callbacks(state: State) -> list[Any]:
    """Make the C functions that libcudla.c passes its calls on to; keep them alive."""
    return [
        ctypes.CFUNCTYPE(ctypes.c_int, *types)(partial(_answer, state, call))
        for call, types in CALLS.items()
    ]


def _answer(state: State, call: str, *arguments: int | None) -> int:
    """Serve one call; no exception may leave, because C would not notice."""
    try:
        _serve(state, call, arguments)
    except Refusal as refusal:
        state.refusals.append(f'{call}: {name_of(refusal.status)}: {refusal.reason}')
        return refusal.status
    except KeyboardInterrupt:
        state.is_interrupted = True  # raised again by whoever called from Python
        return int(CudlaStatus.OS)
    except BaseException:
        traceback.print_exc()
        return int(CudlaStatus.UNKNOWN)
    return int(CudlaStatus.SUCCESS)


def _serve(state: State, call: str, arguments: tuple[int | None, ...]) -> None:
    nth = state.count(call)
    driver = state.options.driver
    if driver in DRIVER_STATUS:
        raise Refusal(DRIVER_STATUS[driver], f'the driver is {driver}')
    if call in state.options.delay_ms:
        sleep(state.options.delay_ms[call] / 1000)
    state.fail_if_told(call, nth)
    # ctypes gives NULL as None.
    values = [argument or 0 for argument in arguments]
    extra = (nth,) if call == 'submit_task' else ()
    if call in UNLOCKED:
        WORK[call](state, *values, *extra)
        return
    with state.lock:
        WORK[call](state, *values, *extra)
