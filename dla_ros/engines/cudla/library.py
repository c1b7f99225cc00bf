"""The one place that calls cuda.bindings.cudla: every status goes through here."""

import re
from threading import Lock
from types import ModuleType
from typing import Any, Protocol

from dla_ros.engines.cudla.status import to_error
from dla_ros.errors import DlaError, EngineError
from dla_ros.installation.libraries import why_missing

UNKNOWN_STATUS = re.compile(r'(-?\d+) is not a valid Status')
NO_LIBRARY = (
    'libcudla.so.1 cannot be loaded ({}). On a Jetson with a DLA install it: sudo apt install '
    "libcudla-12-6 (JetPack 6), or pip install 'nvidia-cudla==13.*' (aarch64 only). "
    'On a machine without a DLA set dla_device: emulator'
)

_opening = Lock()
_emulator: 'Emulator | None' = None


class Emulator(Protocol):
    """Stand in for libcudla.so.1 in this process: the calls of the binding go there."""

    def last_refusal(self) -> str:
        """Say what was refused last, or ''."""

    def raise_interrupt(self) -> None:
        """Raise the KeyboardInterrupt that came within a call, where it was lost."""


def set_emulator(emulator: Emulator) -> None:
    """Note, for the life of the process, that calls reach an emulator and no hardware."""
    global _emulator  # noqa: PLW0603 - there is one libcudla in a process
    _emulator = emulator


class Cudla:
    """
    Call cuDLA, on hardware or emulated; a status that is not success becomes a DlaError.

    A process has one libcudla: who once used the emulator in it cannot reach hardware any more.
    """

    def __init__(self, binding: ModuleType, *, is_emulated: bool) -> None:
        """Take over the binding; use :meth:`open`."""
        self._binding = binding
        self.is_emulated = is_emulated

    @classmethod
    def open(cls, *, is_emulated: bool) -> 'Cudla':
        """
        Load the library and ask its version, once and before any thread uses it.

        (libcudla loads its driver at the first call, without a lock.) Raise EngineError where
        bindings or library are missing, or are not what is asked for (hardware, or emulated);
        DlaError where the driver is missing or too old.
        """
        with _opening:
            _check_source(is_emulated)
            cudla = cls(import_binding(), is_emulated=is_emulated)
            cudla.call('get_version')
            return cudla

    @property
    def types(self) -> Any:
        """Give the binding's enums and structs (Task, Mode, ModuleAttributeType)."""
        return self._binding

    def call(self, name: str, *arguments: Any) -> Any:
        """
        Call a function of cuda.bindings.cudla by its name.

        Raise DlaError for a status, known to cudla.h or not; EngineError where the library or
        the function cannot be loaded.
        """
        try:
            return getattr(self._binding, name)(*arguments)
        except self._binding.CudlaError as error:
            raise self._refusal(name, int(error.status)) from error
        except ValueError as error:
            # What is not in the binding's enum comes as ValueError: "77 is not a valid Status".
            found = UNKNOWN_STATUS.match(str(error))
            if found is None:
                raise
            raise self._refusal(name, int(found[1])) from error
        except RuntimeError as error:
            raise EngineError(NO_LIBRARY.format(_one_line(error))) from error

    def to_error(self, name: str, status: int) -> DlaError:
        """Return the error for a status; the emulator, which knows the cause, says it first."""
        error = to_error(name, status)
        refusal = _emulator.last_refusal() if _emulator is not None else ''
        if refusal:
            error.args = (f'Emulated {refusal}. On a DLA this would be: {error}',)
        return error

    def _refusal(self, name: str, status: int) -> DlaError:
        if _emulator is not None:
            _emulator.raise_interrupt()
        return self.to_error(name, status)


def _check_source(is_emulated: bool) -> None:
    if is_emulated and _emulator is None:
        raise EngineError('the emulated DLA has not been started; call dla_ros.emulator.start()')
    if not is_emulated and _emulator is not None:
        raise EngineError(
            'this process has used the emulated DLA, so its cuDLA calls cannot reach '
            'the hardware; set dla_device: hardware in a process started anew'
        )


def import_binding() -> ModuleType:
    """Return ``cuda.bindings.cudla``; raise EngineError where it is not installed."""
    try:
        from cuda.bindings import cudla
    except ImportError as error:
        raise EngineError(why_missing('cuda', error)) from error
    return cudla  # type: ignore[no-any-return]


def _one_line(error: Exception) -> str:
    """Give the first line: pathfinder appends a listing of folders."""
    return str(error).strip().split('\n', 1)[0][:300]
