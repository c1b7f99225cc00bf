"""Registered memory of the emulated library."""

from dla_ros.emulator.abi import write_u64
from dla_ros.emulator.refusal import demand, Refusal
from dla_ros.emulator.state import Handle, Registration, State
from dla_ros.emulator.streams import owner_of
from dla_ros.engines.cudla.status import CudlaStatus

ALIGNMENT = 32
TASK_STATISTICS = 2


def mem_register(
    state: State, number: int, address: int, nbytes: int, result: int, flags: int
) -> None:
    """Map device memory for a handle; tasks must name the mapped address, not the memory's own."""
    handle = state.handle(number)
    demand(result, CudlaStatus.INVALID_PARAM, 'devPtr is NULL')
    demand(flags != TASK_STATISTICS, CudlaStatus.UNSUPPORTED_OPERATION, 'no layer statistics')
    demand(flags == 0, CudlaStatus.INVALID_PARAM, f'flags {flags:#x} are not known')
    _check_memory(address, nbytes)
    demand(
        all(each.address != address for each in handle.registrations.values()),
        CudlaStatus.MEMORY_REGISTERED,
        f'{address:#x} is registered already',
    )
    mapped = next(state.addresses)
    handle.registrations[mapped] = Registration(address, nbytes, mapped)
    write_u64(result, mapped)


def mem_unregister(state: State, number: int, mapped: int) -> None:
    """Take a mapping back, by the mapped address, before the memory is freed."""
    handle = state.handle(number)
    registration = registration_of(handle, mapped)
    handle.check_idle('mem_unregister')
    del handle.registrations[mapped]
    demand(
        owner_of(registration.address, registration.nbytes),
        CudlaStatus.INVALID_ADDRESS,
        'the memory was freed before it was unregistered',
    )


def registration_of(handle: Handle, mapped: int | None) -> Registration:
    """Find what a mapped address stands for."""
    registration = handle.registrations.get(mapped or 0)
    if registration is not None:
        return registration
    is_own = any(each.address == mapped for each in handle.registrations.values())
    hint = '; it is the memory itself, name what mem_register returned' if is_own else ''
    raise Refusal(
        CudlaStatus.INVALID_ADDRESS, f'{mapped or 0:#x} is not registered on this handle{hint}'
    )


def _check_memory(address: int, nbytes: int) -> None:
    demand(address and nbytes, CudlaStatus.INVALID_ADDRESS, 'no memory given')
    demand(
        address % ALIGNMENT == 0,
        CudlaStatus.INVALID_ADDRESS,
        f'{address:#x} is not aligned to {ALIGNMENT} bytes',
    )
    demand(
        owner_of(address, nbytes),
        CudlaStatus.INVALID_ADDRESS,
        f'{nbytes} bytes at {address:#x} are not memory of a device',
    )
