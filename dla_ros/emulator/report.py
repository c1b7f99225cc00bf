"""What the emulated library saw, for tests and diagnostics."""

from collections.abc import Mapping
from dataclasses import dataclass

from dla_ros.emulator.state import State


@dataclass(frozen=True)
class EmulatorReport:
    """
    Hold counts since the start of the process.

    ``calls`` counts by the names of cuda.bindings.cudla. ``refusals`` are the last ones, newest
    last; ``leaks`` what was forgotten when a handle was destroyed; ``busy_s`` is per core.
    """

    calls: Mapping[str, int]
    open_handles: int
    loaded_modules: int
    registrations: int
    tasks_run: int
    tasks_failed: int
    refusals: tuple[str, ...]
    leaks: tuple[str, ...]
    busy_s: tuple[float, ...]

    @classmethod
    def of(cls, state: State) -> 'EmulatorReport':
        """Count now."""
        with state.lock:
            handles = state.handles.values()
            return cls(
                calls=dict(state.calls),
                open_handles=len(handles),
                loaded_modules=sum(handle.module is not None for handle in handles),
                registrations=sum(len(handle.registrations) for handle in handles),
                tasks_run=state.tasks_run,
                tasks_failed=state.tasks_failed,
                refusals=tuple(state.refusals),
                leaks=tuple(state.leaks),
                busy_s=tuple(core.busy_s for core in state.cores),
            )
