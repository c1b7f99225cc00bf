"""Waiting for a task that may never come back."""

from time import monotonic

from dla_ros.engines.protocol import Engine
from dla_ros.errors import DeviceError, EngineError, EngineHangError, reworded
from dla_ros.pipeline.slot import Slot


class Watchdog:
    """
    Wait for one slot after the other, and say in full what went wrong with one.

    A DLA's firmware can hang for certain tasks, and it is the application that must notice (CUDA
    for Tegra, cuDLA). ``timeout_s`` counts anew for each slot, from the end of the one before it,
    or from where the CPU is done with the picture: a large JPEG, or a function that loads slowly,
    is no fault of the engine's.
    """

    def __init__(self, engine: Engine, timeout_s: float) -> None:
        """Watch over tasks of ``engine``."""
        self._engine = engine
        self.timeout_s = timeout_s

    def wait(self, slot: Slot) -> None:
        """
        Wait for a slot's outputs, GIL released.

        The CPU may take its time for the picture; then the engine has ``timeout_s``.
        Raise EngineHangError if they do not come in time, and EngineError for whatever else the
        engine or its stream refused: of the type and with the parts (a cuDLA status) of what was
        raised, or of what the engine knows of it.
        """
        try:
            if self._is_done(slot):
                return
            doing = 'running the network' if slot.is_at_network else 'preparing the picture'
        except (EngineError, DeviceError) as error:
            raise self._explained(error) from error
        raise EngineHangError(
            f'{self._engine.placement}: no result after {self.timeout_s:g} s, while {doing}; '
            'the engine must be opened anew (cleanup, configure), or the process started anew '
            'where it does not let go. If tasks may take that long, raise task_timeout_ms',
            waited_s=self.timeout_s,
            doing=doing,
        )

    def wait_ready(self, slot: Slot) -> None:
        """Wait, GIL released, while the CPU is at a picture; raise what broke its stream."""
        while not slot.wait_ready(self.timeout_s):
            slot.wait(0.0)

    def _is_done(self, slot: Slot) -> bool:
        """Wait; the time starts anew where the CPU was done with the picture."""
        end = monotonic() + self.timeout_s
        while not slot.wait(max(end - monotonic(), 0.0)):
            self.wait_ready(slot)
            anew = (slot.ready_at or 0.0) + self.timeout_s
            if anew <= end:
                return False
            end = anew
        return True

    def _explained(self, error: EngineError | DeviceError) -> EngineError:
        known = self._engine.last_error()
        text = f'{self._engine.placement}: {error}' + (f' ({known})' if known else '')
        # A stream tells of what broke it by a DeviceError: the engine's own says more.
        told = (error, known, error.__cause__)
        first = next((each for each in told if isinstance(each, EngineError)), EngineError())
        return reworded(first, text)
