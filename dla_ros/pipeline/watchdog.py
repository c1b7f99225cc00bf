"""Waiting for a task that may never come back."""

from dla_ros.engines.protocol import Engine
from dla_ros.errors import DeviceError, EngineError, EngineHangError
from dla_ros.pipeline.slot import Slot


class Watchdog:
    """
    Wait for one slot after the other, and say in full what went wrong with one.

    A DLA's firmware can hang for certain tasks, and it is the application that must notice (CUDA
    for Tegra, cuDLA). ``timeout_s`` counts anew for each slot, from the end of the one before it.
    """

    def __init__(self, engine: Engine, timeout_s: float) -> None:
        """Watch over tasks of ``engine``."""
        self._engine = engine
        self.timeout_s = timeout_s

    def wait(self, slot: Slot) -> None:
        """
        Wait for a slot's outputs, GIL released.

        Raise EngineHangError if they do not come in time, and EngineError for whatever else the
        engine or its stream refused, with what the engine knows of it.
        """
        try:
            if slot.wait(self.timeout_s):
                return
            where = 'running the network' if slot.is_prepared else 'preparing the picture'
        except (EngineError, DeviceError) as error:
            raise EngineError(self._explain(str(error))) from error
        raise EngineHangError(
            f'{self._engine.placement}: no result after {self.timeout_s:g} s, while {where}; '
            'the engine must be opened anew (cleanup, configure), or the process started anew '
            'where it does not let go. If tasks may take that long, raise task_timeout_ms'
        )

    def _explain(self, text: str) -> str:
        known = self._engine.explain()
        return f'{self._engine.placement}: {text}' + (f' ({known})' if known else '')
