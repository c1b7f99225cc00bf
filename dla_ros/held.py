"""What is held and given back in turn, whatever each of it raises."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar

from dla_ros.errors import DlaRosError, EngineError

_T = TypeVar('_T')


class Held(ExitStack):
    """
    Be an ExitStack that tells of each failure where several of its callbacks fail.

    ExitStack itself lets the last one out, and the others are forgotten. Here they come in one
    error, the one that was on its way first; a single one comes as it is. What is no DlaRosError
    is a fault of the program and comes as it is, too.
    """

    def __init__(self) -> None:
        """Hold nothing yet."""
        super().__init__()
        self._failures: list[Exception] = []

    def callback(
        self, callback: Callable[..., _T], /, *args: Any, **kwds: Any
    ) -> Callable[..., _T]:
        """Call this at the end, the last one first."""
        super().callback(self._attempt, callback, *args, **kwds)
        return callback

    def enter_context(self, cm: Any) -> Any:
        """Enter a context and leave it at the end."""
        entered = cm.__enter__()
        self.callback(cm.__exit__, None, None, None)
        return entered

    def pop_all(self) -> 'Held':
        """Hand over all that is held to a new one."""
        taken = super().pop_all()
        taken._failures = self._failures
        return taken

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """Call everything; raise all that failed, together with what was on its way."""
        super().__exit__(kind, error, trace)
        failures = list(self._failures)
        self._failures.clear()
        if failures:
            under_way = [error] if isinstance(error, Exception) else []
            raise _all_told([*under_way, *failures])

    def _attempt(self, callback: Callable[..., object], *args: Any, **kwds: Any) -> None:
        try:
            callback(*args, **kwds)
        except Exception as error:
            self._failures.append(error)


def _all_told(failures: Sequence[Exception]) -> Exception:
    foreign = [each for each in failures if not isinstance(each, DlaRosError)]
    if foreign or len(failures) == 1:
        return (foreign or failures)[0]
    together = EngineError('; '.join(str(each) for each in failures))
    together.__cause__ = failures[0]
    return together
