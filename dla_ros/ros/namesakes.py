"""Whether a process that has just started took the name of a node that was there before."""

import os
from pathlib import Path
import time

from dla_ros.ros.census import Census, Holder
from dla_ros.ros.ending import Ending
from rclpy.node import Node

_LOOK_S = 10.0  # discovery takes tenths of a second, some seconds where processors are short
_YOUNG_S = 3.0  # whoever was there for longer was first
_PERIOD_S = 0.2
_START_TIME = 19  # field 22 of proc(5), counted behind the name of the program


class Namesakes:
    """
    Look for another node with the name of one's own, in the first seconds of a process.

    Every request by name reaches both, and whoever asks hears one of them. So the newer process
    goes; where it is not known which one is newer, as on two computers, both may go. One that
    crashed is not met: a new process hears only from the living.
    """

    def __init__(self, node: Node) -> None:
        """Begin to look; ``node`` is the one of this process."""
        self._census = Census(node)
        self._name = node.get_fully_qualified_name()
        self._since = time.monotonic()
        self._next = self._since
        self._found: Ending | None = None

    @property
    def ending(self) -> Ending | None:
        """Look again where it is time to; return how the process ends for another, or None."""
        now = time.monotonic()
        if self._found is None and self._next <= now < self._since + _LOOK_S:
            self._next = now + _PERIOD_S
            self._found = self._look(is_young=now < self._since + _YOUNG_S)
        return self._found

    def _look(self, *, is_young: bool) -> Ending | None:
        found = self._census.holders(self._name)
        if len(found) < 2:
            return None
        # in two containers of one computer both may be process 7
        others = [each for each in found if each.process != os.getpid()] or [Holder(b'')]
        older = [each for each in others if _is_older(each.process, or_else=is_young)]
        if not older:
            return None
        return Ending(taken(self._name, older[0]), restarts=False, setting='')


def taken(name: str, holder: Holder) -> str:
    """Say that a name is taken, by whom, and what to do."""
    stop = 'stop it' if holder.process is None else f'stop it (kill {holder.process})'
    if holder.container:
        stop = 'unload it there'
    return (
        f"the name '{name}' is taken: a node of that name runs in {holder}; {stop}, or take "
        'another name or namespace (-r __ns:=/NAMESPACE, in a launch namespace:=NAMESPACE)'
    )


def _is_older(process: int | None, *, or_else: bool) -> bool:
    """Tell whether a process was started before this one; ``or_else`` where that is unknown."""
    start = None if process is None else _start_of(process)
    own = _start_of(os.getpid())
    return or_else if start is None or own is None else start <= own


def _start_of(process: int) -> int | None:
    """Return when a process was started, in ticks since the boot; None if it is gone."""
    try:
        text = Path(f'/proc/{process}/stat').read_text()
    except OSError:
        return None
    return int(text.rpartition(')')[2].split()[_START_TIME])
