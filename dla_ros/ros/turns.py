"""
Conversations with several nodes on one thread: each is a generator that yields while it waits.

Whoever drives them spins the executor between two turns.
"""

from collections.abc import Callable, Generator, Iterable
import time
from typing import Any, TypeVar

T = TypeVar('T')
Turns = Generator[None, None, T]

_SPIN_S = 0.1
_PATIENCE_S = 1.0  # with one question; most answers take milliseconds


def until(is_over: Callable[[], bool], timeout_s: float) -> Turns[bool]:
    """Wait until a condition holds; return whether it did within the time."""
    deadline = time.monotonic() + timeout_s
    while not is_over():
        if time.monotonic() > deadline:
            return False
        yield
    return True


def ask(client: Any, request: Any, timeout_s: float) -> Turns[Any]:
    """Call a service; return the answer, None where none came in time."""
    future = client.call_async(request)
    if (yield from until(future.done, timeout_s)):
        return future.result()
    client.remove_pending_request(future)
    return None


def insist(client: Any, request: Any, timeout_s: float) -> Turns[Any]:
    """
    Ask again and again what may be asked twice; return the answer, None where none came in time.

    Where a node of the name has crashed, its services seem ready for a while, and the first
    questions are lost between the dead and the living.
    """
    deadline = time.monotonic() + timeout_s
    answer = None
    while answer is None and time.monotonic() < deadline:
        answer = yield from ask(client, request, min(timeout_s, _PATIENCE_S))
    return answer


def finish(executor: Any, turns: Turns[T]) -> T:
    """Spin the executor until one conversation has ended; return what it returns."""
    while True:
        try:
            next(turns)
        except StopIteration as end:
            return end.value
        executor.spin_once(timeout_sec=_SPIN_S)


def take_turns(executor: Any, many: Iterable[Turns[Any]], is_over: Callable[[], bool]) -> None:
    """Spin the executor, and let each conversation go on in between, until it is over."""
    going = list(many)
    while going and not is_over():
        going = [turns for turns in going if _goes_on(turns)]
        executor.spin_once(timeout_sec=_SPIN_S)


def _goes_on(turns: Turns[Any]) -> bool:
    try:
        next(turns)
    except StopIteration:
        return False
    return True
