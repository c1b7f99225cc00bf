"""
The errors of this package: one family, so that a node or a command catches one name.

A caller's mistake in code is a ``ValueError`` or ``TypeError``. What the world refuses (a file, a
device, a message, a setting) is a child of :class:`DlaRosError`, raised where it is known, saying
what it is, which value it has, what would be right and how to get there.
"""

from collections.abc import Mapping
from typing import TypeVar

from dla_ros.one_line import MOST_CHARACTERS, one_line


class DlaRosError(Exception):
    """
    Stand for everything this package refuses; its text is meant for a person.

    ``str`` gives one line of at most some thousand characters, whatever strangers' text is in it.
    ``lines`` stand below it: what a compiler said.
    """

    lines: str = ''

    def __str__(self) -> str:
        """Return the sentence, and the lines below."""
        below = [one_line(line) for line in self.lines[-MOST_CHARACTERS:].splitlines()]
        return '\n'.join([one_line(super().__str__()), *below])

    @property
    def details(self) -> Mapping[str, str]:
        """Return what a program may want to know beside the text, by name."""
        return {}


class ConfigError(DlaRosError):
    """Say that a setting, or two settings together, cannot work."""


class RobotError(DlaRosError):
    """Say that a robot file is missing, unreadable, or asks for what cannot be."""


class ImageError(DlaRosError):
    """Say that an image cannot be read: unknown encoding, wrong size, broken picture."""


class TensorError(DlaRosError):
    """Say that a tensor has a type, layout or size that is not supported."""


class RecordError(DlaRosError):
    """Say that a deployment record is missing, unreadable or does not fit its engine."""


class LoadableError(DlaRosError):
    """Say that a file is not a DLA loadable, or is a broken one."""


class HeadError(DlaRosError):
    """Say that a network's outputs or labels do not fit the head that should read them."""


class BagError(DlaRosError):
    """Say that a bag cannot be read or written."""


class ComponentError(DlaRosError):
    """Say that a node cannot be loaded into a container, or not be taken out of it."""


class DeviceError(DlaRosError):
    """Say that memory, a stream or an event of a compute device failed."""


class EngineError(DlaRosError):
    """Say that an inference engine could not be opened or used."""


class DlaError(EngineError):
    """
    Carry a cuDLA status, with what it means on a robot.

    ``status`` is the number of ``cudlaStatus`` in ``cudla.h``, ``name`` its name there without
    what all have in common (DLA_ENGINE_TIMEOUT), ``meaning`` what it means and what to do.
    ``call`` is the function that returned it; ``get_last_error`` for a task that failed.
    """

    # Defaults, so that it can be copied and pickled.
    def __init__(
        self, message: str, *, call: str = '', status: int = 0, name: str = '', meaning: str = ''
    ) -> None:
        """Keep the parts beside the sentence."""
        super().__init__(message)
        self.call = call
        self.status = status
        self.name = name
        self.meaning = meaning

    @property
    def details(self) -> Mapping[str, str]:
        """Return call, status, name and meaning."""
        return {
            'call': self.call,
            'status': str(self.status),
            'name': self.name,
            'meaning': self.meaning,
        }


class EngineHangError(EngineError):
    """
    Say that a task did not come back in time, so the engine must be torn down.

    ``waited_s`` is for how long it was waited for; ``doing`` what it was about.
    """

    def __init__(self, message: str, *, waited_s: float = 0.0, doing: str = '') -> None:
        """Keep the parts beside the sentence."""
        super().__init__(message)
        self.waited_s = waited_s
        self.doing = doing

    @property
    def details(self) -> Mapping[str, str]:
        """Return for how long it was waited, and for what."""
        return {'waited_s': f'{self.waited_s:g}', 'doing': self.doing}


_Error = TypeVar('_Error', bound=Exception)
_Ours = TypeVar('_Ours', bound=DlaRosError)


def with_lines(error: _Ours, lines: str) -> _Ours:
    """Put lines below the sentence of an error; return the error."""
    error.lines = lines
    return error


def again(error: Exception) -> Exception:
    """
    Return an equal error to raise once more, its cause the first.

    One object raised for every call would gather the traceback of each, and what those hold.
    """
    twin = _copy(error) or EngineError(str(error))
    twin.__cause__ = error
    return twin


def reworded(error: EngineError, text: str) -> EngineError:
    """Return an error of the same type and with the same parts, which says ``text``."""
    twin = _copy(error) or EngineError()
    twin.args = (text,)
    return twin


def _copy(error: _Error) -> _Error | None:
    """
    Return an equal error without a traceback; None for a class that cannot be copied.

    Its own ``__init__`` is left out: what that takes need not be what the error keeps.
    """
    try:
        twin = type(error).__new__(type(error), *error.args)
    except Exception:
        return None
    vars(twin).update(vars(error))
    return twin
