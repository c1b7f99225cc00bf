"""The one emulated libcudla.so.1 of a process."""

import atexit
import ctypes
from pathlib import Path
from threading import Lock
from typing import Any

from dla_ros.emulator.api import callbacks
from dla_ros.emulator.compile import built_library, SONAME
from dla_ros.emulator.options import EmulatorOptions
from dla_ros.emulator.report import EmulatorReport
from dla_ros.emulator.state import State
from dla_ros.engines.cudla.library import set_emulator
from dla_ros.errors import EngineError

MAPS = Path('/proc/self/maps')

_lock = Lock()
_running: 'Emulator | None' = None


class Emulator:
    """Hold the loaded library, its state, and the C functions that must outlive it."""

    def __init__(self, path: Path, options: EmulatorOptions) -> None:
        """Load the library for the whole process, so that cuda.bindings finds its functions."""
        self.path = path
        self.state = State(options)
        self._functions = callbacks(self.state)
        self._library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        self._install(self._functions)
        atexit.register(self._install, None)  # a late call finds no Python to run

    def report(self) -> EmulatorReport:
        """Tell what was called, what is open, and what was forgotten."""
        return EmulatorReport.of(self.state)

    def last_refusal(self) -> str:
        """Say what was refused last, or ''."""
        refusals = self.report().refusals
        return refusals[-1] if refusals else ''

    def raise_interrupt(self) -> None:
        """Raise the KeyboardInterrupt that came while C was calling Python, where it was lost."""
        if self.state.is_interrupted:
            self.state.is_interrupted = False
            raise KeyboardInterrupt

    def _install(self, functions: list[Any] | None) -> None:
        if functions is None:
            self._library.dla_ros_emulator_install(None)
            return
        table = (ctypes.c_void_p * len(functions))(
            *(ctypes.cast(function, ctypes.c_void_p) for function in functions)
        )
        self._library.dla_ros_emulator_install(table)


def start(options: EmulatorOptions | None = None) -> Emulator:
    """
    Load the emulated libcudla.so.1 into this process, or give the running one other options.

    Without options those of the environment variable DLA_ROS_EMULATOR hold. Call it before
    cuda.bindings.cudla is first used. Raise EngineError where a real libcudla is loaded already,
    or there is no compiler; ConfigError for a bad variable.
    """
    global _running  # noqa: PLW0603 - there is one library in a process
    chosen = EmulatorOptions.from_environment() if options is None else options
    with _lock:
        if _running is None:
            path = built_library()
            _refuse_foreign(path)
            _running = Emulator(path, chosen)
            set_emulator(_running)
        else:
            _running.state.set_options(chosen)
        return _running


def running() -> Emulator | None:
    """Give the emulator of this process, None where it was not started."""
    return _running


def _refuse_foreign(path: Path) -> None:
    """Refuse beside another libcudla: half of the calls would reach the one, half the other."""
    if not MAPS.exists():
        return
    lines = (line.split(maxsplit=5) for line in MAPS.read_text().splitlines())
    mapped = {line[5] for line in lines if len(line) == 6}
    foreign = [each for each in mapped if SONAME[:-2] in each and each != str(path.resolve())]
    if foreign:
        raise EngineError(
            f"'{foreign[0]}' is loaded in this process, so the DLA cannot be emulated in it; "
            'start another process, and choose the emulator before cuDLA is first used'
        )
