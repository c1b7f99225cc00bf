"""Signals that ask a process to end: at once while it starts, in good order afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
import os
import signal
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def leave_at_a_signal(code: int = 0) -> None:
    """
    Let a signal end the process at once, with this exit code, until the first :class:`Stop`.

    For the imports at its start, which take most of a second: nothing is held yet that would
    have to be given back, and an exception in the middle of an import may be taken for a fault
    of the library.
    """
    for number in SIGNALS:
        signal.signal(number, lambda _number, _frame: os._exit(code))


def interrupt_at_a_signal() -> None:
    """Let a signal raise KeyboardInterrupt, for a program that only a person waits for."""
    for number in SIGNALS:
        signal.signal(number, signal.default_int_handler)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """
    Do what must be whole; a signal that comes meanwhile raises KeyboardInterrupt at its end.

    Handlers hold it back, not the signal mask: a child process would inherit that.
    """
    kept = {number: signal.getsignal(number) for number in SIGNALS}
    stop = Stop()
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    if stop.is_asked:
        raise KeyboardInterrupt


def ignore_signals() -> None:
    """Let no signal disturb the way out: it would end in a traceback and a wrong exit code."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


class Stop:
    """Remember that a signal asked the process to end."""

    def __init__(self) -> None:
        """Install the handlers; the first signal is remembered, a second changes nothing."""
        self.is_asked = False
        for number in SIGNALS:
            signal.signal(number, self._ask)
        # held back by the process that this one was before (ros/ending.py)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def hold(self) -> None:
        """Let signals wait, over an execve(2) too, until the next ``Stop`` takes them."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)

    def _ask(self, _number: int, _frame: Any) -> None:
        self.is_asked = True
