"""One task on an emulated core."""

from collections.abc import Sequence
from threading import Event

from dla_ros.devices.protocol import Bytes
from dla_ros.emulator.network import Values
from dla_ros.emulator.options import TASK
from dla_ros.emulator.refusal import Refusal
from dla_ros.emulator.state import Handle, Module, RunningTask, State
from dla_ros.engines.cudla.status import CudlaStatus, name_of
from dla_ros.errors import DlaError
from dla_ros.tensors.packing import pack, unpack


class EmulatedTask(RunningTask):
    """Run a module once, on the thread of the stream it was submitted to."""

    def __init__(
        self, state: State, module: Module, mapped: Sequence[int], *, is_hung: bool, is_stuck: bool
    ) -> None:
        """Keep what to run; a hung task ends by its timeout or its handle, a stuck one never."""
        self._state = state
        self._module = module
        self._mapped = mapped
        # A task that takes longer than it may is a hung one.
        self._task_s = state.options.task_ms / 1000
        self._is_stuck = is_stuck
        self.is_hung = is_hung or self._task_s > module.handle.timeout_s

    def run(self, inputs: list[Bytes], outputs: list[Bytes]) -> None:
        """Take the core, compute, write the outputs; raise DlaError where the task fails."""
        handle = self._module.handle
        try:
            handle.core.run(lambda: self._work(inputs, outputs), self._task_s)
        except Refusal as refusal:
            self._fail(handle, refusal)
        finally:
            self.is_over = True

    def skip(self, inputs: list[Bytes], outputs: list[Bytes]) -> None:
        """Keep the order of the stream and do nothing (CUDLA_SUBMIT_NOOP)."""
        self.is_over = True

    def _work(self, inputs: list[Bytes], outputs: list[Bytes]) -> None:
        handle = self._module.handle
        if self._is_stuck:
            handle.core.is_hung = True
            Event().wait()
        if self.is_hung:
            self._hang(handle)
        # Behind a hung task, the handle and its memory may be gone by now.
        if handle.is_destroyed.is_set() or not handle.registrations.keys() >= set(self._mapped):
            raise Refusal(CudlaStatus.UNKNOWN, 'its handle or memory was given up meanwhile')
        self._state.fail_if_told(TASK, self._state.count(TASK))
        found = self._module.network.run(lambda: self._read(inputs))
        self._write(found, outputs)
        self._state.tasks_run += 1

    def _hang(self, handle: Handle) -> None:
        """Keep the core until the task's time is over, or the handle is destroyed."""
        handle.core.is_hung = True
        is_destroyed = handle.is_destroyed.wait(handle.timeout_s)
        handle.core.is_hung = False
        if is_destroyed:
            raise Refusal(CudlaStatus.UNKNOWN, 'its handle was destroyed while it hung')
        limit = f'{handle.timeout_s * 1000:.0f} ms'
        raise Refusal(CudlaStatus.DLA_ENGINE_TIMEOUT, f'it did not end within {limit}')

    def _read(self, inputs: list[Bytes]) -> Values:
        pairs = zip(self._module.inputs, inputs, strict=True)
        return [unpack(spec, memory) for spec, memory in pairs]

    def _write(self, found: Values | None, outputs: list[Bytes]) -> None:
        if found is None:
            for memory in outputs:
                memory[...] = 0
            return
        for spec, values, memory in zip(self._module.outputs, found, outputs, strict=True):
            pack(spec, values, memory)

    def _fail(self, handle: Handle, refusal: Refusal) -> None:
        handle.error = refusal.status
        self._state.tasks_failed += 1
        raise DlaError(
            f'a task on DLA core {handle.core_index} (emulated) failed with '
            f'{name_of(refusal.status)}: {refusal.reason}',
            call='submit_task',
            status=refusal.status,
            name=name_of(refusal.status),
            meaning=refusal.reason,
        ) from None
