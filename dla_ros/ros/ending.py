"""How a process ends whose node only a new process can help, and how that one begins."""

from dataclasses import dataclass
import os
import sys
from typing import Any, NoReturn

_REASON = 'DLA_ROS_RESTARTED_AFTER'
_FIRST_FILE = 3  # after standard input, output and error


@dataclass(frozen=True)
class Ending:
    """
    Say why the process has to end, and whether it starts anew by itself.

    ``setting`` is the parameter that decides so; '' if there is none.
    """

    reason: str
    restarts: bool
    setting: str = 'when_lost'

    def __str__(self) -> str:
        """Say it for the log."""
        act = 'starting the process anew' if self.restarts else 'ending the process, exit code 1'
        return f'{act}{f" ({self.setting})" if self.setting else ""}: {self.reason}'


def ending_of(node: Any) -> Ending | None:
    """Give how a node wants its process to end; what else a node calls ``ending`` is its own."""
    ending = getattr(node, 'ending', None)
    return ending if isinstance(ending, Ending) else None


def restart(ending: Ending) -> NoReturn:
    """
    Become a new process with the same id, command line and environment (execve(2)).

    Nothing that is open is handed on: not a socket of DDS, whose port the new process wants, nor
    a file of the driver, which would keep the lost context alive.
    """
    os.environ[_REASON] = ending.reason
    for name in os.listdir('/proc/self/fd'):
        _hand_on_not(int(name))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def restarted_after() -> str:
    """Say for what reason this process was started anew, once; '' if it was not."""
    reason = os.environ.pop(_REASON, None)
    return '' if reason is None else f'started anew after: {reason}'


def _hand_on_not(file: int) -> None:
    if file < _FIRST_FILE:
        return
    try:
        os.set_inheritable(file, False)
    except OSError:
        return  # closed meanwhile, as the one that listed the folder
