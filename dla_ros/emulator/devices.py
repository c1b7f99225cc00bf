"""Device handles of the emulated library: create, destroy, attributes, timeout, last error."""

from dla_ros.emulator.abi import write_u32, write_u64
from dla_ros.emulator.refusal import demand, Refusal
from dla_ros.emulator.state import Handle, State
from dla_ros.engines.cudla.status import CudlaStatus

HANDLES_PER_CORE = 16  # cudla.h, cudlaCreateDevice
STANDALONE, SHARED_STATIC = 1, 2
MAX_TIMEOUT_MS = 1_000_000
UNIFIED_ADDRESSING, DEVICE_VERSION = 0, 1
ORIN = 2  # "Orin has 2.0"; how the number is coded is not documented


def get_version(state: State, version: int) -> None:
    """Write 1000000 * major + 1000 * minor + patch."""
    demand(version, CudlaStatus.INVALID_PARAM, 'version is NULL')
    write_u64(version, state.options.version)


def device_get_count(state: State, count: int) -> None:
    """Write the number of cores."""
    demand(count, CudlaStatus.INVALID_PARAM, 'pNumDevices is NULL')
    write_u64(count, state.options.cores)


def create_device(state: State, core: int, result: int, flags: int) -> None:
    """Open a handle on a core, in hybrid mode only."""
    demand(result, CudlaStatus.INVALID_PARAM, 'devHandle is NULL')
    demand(
        not flags & ~(STANDALONE | SHARED_STATIC),
        CudlaStatus.INVALID_PARAM,
        f'flags {flags:#x} are not known',
    )
    demand(
        not flags & STANDALONE,
        CudlaStatus.UNSUPPORTED_OPERATION,
        'standalone mode is not emulated',
    )
    cores = state.options.cores
    demand(core < cores, CudlaStatus.INVALID_PARAM, f'there is no core {core} of {cores}')
    taken = sum(handle.core_index == core for handle in state.handles.values())
    demand(
        taken < HANDLES_PER_CORE,
        CudlaStatus.OUT_OF_RESOURCES,
        f'core {core} has {taken} handles already',
    )
    handle = Handle(next(state.numbers), core, state.cores[core])
    state.handles[handle.number] = handle
    write_u64(result, handle.number)


def destroy_device(state: State, number: int) -> None:
    """Close a handle; a hung task on it ends, what was forgotten on it is noted as a leak."""
    handle = state.handle(number)
    handle.check_idle('destroy_device')
    if handle.module is not None:
        state.leaks.append('a module was still loaded when its handle was destroyed')
    if handle.registrations:
        state.leaks.append(f'{len(handle.registrations)} registrations outlived their handle')
    del state.handles[number]
    handle.is_destroyed.set()


def device_get_attribute(state: State, number: int, attribute: int, result: int) -> None:
    """Write what an Orin says."""
    state.handle(number)
    demand(result, CudlaStatus.INVALID_PARAM, 'pAttribute is NULL')
    values = {UNIFIED_ADDRESSING: 1, DEVICE_VERSION: ORIN}
    demand(attribute in values, CudlaStatus.INVALID_ATTRIBUTE, f'there is no {attribute}')
    write_u32(result, values[attribute])


def get_last_error(state: State, number: int) -> None:
    """Return, as the status, what the last task that failed on the handle met."""
    handle = state.handle(number)
    if handle.error:
        raise Refusal(handle.error, 'a task failed')


def set_task_timeout_in_ms(state: State, number: int, milliseconds: int) -> None:
    """Limit the time of each task; a wrong handle is INVALID_PARAM here, as cudla.h says."""
    demand(number in state.handles, CudlaStatus.INVALID_PARAM, 'no such device handle')
    demand(
        0 < milliseconds <= MAX_TIMEOUT_MS,
        CudlaStatus.INVALID_PARAM,
        f'{milliseconds} ms are not in 1 to {MAX_TIMEOUT_MS}',
    )
    state.handles[number].timeout_s = milliseconds / 1000
