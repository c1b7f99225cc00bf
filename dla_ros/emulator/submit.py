"""Submitting tasks to the emulated library: check everything, then enqueue."""

from collections.abc import Sequence

from dla_ros.emulator.abi import Task
from dla_ros.emulator.memory import registration_of
from dla_ros.emulator.network import Specs
from dla_ros.emulator.refusal import demand, Refusal
from dla_ros.emulator.state import Handle, Module, Registration, State
from dla_ros.emulator.streams import Door, door_to, Region
from dla_ros.emulator.task import EmulatedTask
from dla_ros.engines.cudla.status import CudlaStatus
from dla_ros.errors import DeviceError

Checked = tuple[Module, list[Registration], list[Registration]]
NOOP, SKIP_LOCK, DIAGNOSTICS = 1, 2, 4


def submit_task(
    state: State, number: int, tasks: int, count: int, stream: int, flags: int, nth: int
) -> None:
    """Enqueue tasks on a stream, in the order of the array; ``nth`` numbers this call."""
    handle = state.handle(number)
    demand(tasks and count, CudlaStatus.INVALID_PARAM, 'no tasks given')
    if flags & ~7:
        raise Refusal(CudlaStatus.INVALID_PARAM, f'flags {flags:#x} are not known')
    demand(not flags & DIAGNOSTICS, CudlaStatus.UNSUPPORTED_OPERATION, 'no diagnostics')
    door = _door(stream)
    if handle.error:
        raise Refusal(handle.error, 'a task on this handle failed; open another handle')
    checked = [_check(state, handle, task) for task in (Task * count).from_address(tasks)]
    for module, inputs, outputs in checked:
        mapped = [each.mapped for each in inputs + outputs]
        task = EmulatedTask(
            state, module, mapped,
            is_hung=nth in state.options.hang, is_stuck=nth in state.options.stuck,
        )  # fmt: skip
        handle.tasks.add(task)
        work = task.skip if flags & NOOP else task.run
        regions = _regions(inputs, module.inputs), _regions(outputs, module.outputs)
        try:
            door.run_on(stream, *regions, work)
        except DeviceError as error:
            raise Refusal(CudlaStatus.CUDA, str(error)) from error


def _door(stream: int) -> Door:
    """Find the stream's device; the default streams are not for cuDLA."""
    if not stream or stream <= 2:
        raise Refusal(
            CudlaStatus.INVALID_PARAM,
            f'stream {stream or 0} is a default stream; cuDLA wants a created one',
        )
    door = door_to(stream)
    if door is None:
        raise Refusal(CudlaStatus.CUDA, f'{stream:#x} is no open stream')
    return door


def _check(state: State, handle: Handle, task: Task) -> Checked:
    """Hold a task against the contract of cudlaSubmitTask in hybrid mode."""
    module = state.module(task.module)
    demand(module.handle is handle, CudlaStatus.INVALID_MODULE, 'the module is on another handle')
    demand(
        not task.wait_events and not task.signal_events,
        CudlaStatus.UNSUPPORTED_OPERATION,
        'events must be NULL in hybrid mode',
    )
    demand(
        task.inputs and task.outputs,
        CudlaStatus.UNSUPPORTED_OPERATION,
        'input and output tensors must not be NULL in hybrid mode',
    )
    inputs = _memory(handle, module.inputs, task.inputs[: task.input_count])
    return module, inputs, _memory(handle, module.outputs, task.outputs[: task.output_count])


def _memory(handle: Handle, specs: Specs, mapped: Sequence[int | None]) -> list[Registration]:
    """Find the memory behind mapped addresses, one for each tensor and large enough for it."""
    if len(mapped) != len(specs):
        raise Refusal(
            CudlaStatus.INVALID_PARAM,
            f'{len(mapped)} tensors given, the module has {len(specs)}',
        )
    found = [registration_of(handle, each) for each in mapped]
    for spec, registration in zip(specs, found, strict=True):
        if registration.nbytes < spec.size:
            raise Refusal(
                CudlaStatus.INVALID_ADDRESS,
                f'{registration.nbytes} bytes are registered, tensor {spec} needs {spec.size}',
            )
    return found


def _regions(registrations: list[Registration], specs: Specs) -> list[Region]:
    pairs = zip(registrations, specs, strict=True)
    return [(registration.address, spec.size) for registration, spec in pairs]
