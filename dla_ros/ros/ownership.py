"""Whether a name belongs to one node only, and that to the launch which asks."""

import time

from dla_ros.errors import DlaRosError
from dla_ros.ros.census import Census, Holder
from dla_ros.ros.namesakes import taken
from dla_ros.ros.parameter_client import ParameterClient
from dla_ros.ros.turns import Turns, until
from rclpy.node import Node

_DISCOVERY_S = 1.0  # it takes tenths of a second; a second node may be found after the first
_FAREWELL_S = 5.0  # a node that is being stopped, or ours that is being loaded


class Ownership:
    """
    Refuse nodes that share their name, or that another launch has loaded.

    A request by name reaches every node of that name, and whoever asks hears one of them.
    """

    def __init__(self, node: Node, census: Census, launch_id: str) -> None:
        """Ask through ``node``; with '' for ``launch_id`` any node will do."""
        self._node = node
        self._census = census
        self._launch_id = launch_id
        self._settled = time.monotonic() + _DISCOVERY_S
        self._clients: dict[str, ParameterClient] = {}

    def checking(self, target: str) -> Turns[bytes]:
        """
        Return the gid of ``target``, b'' if it is not told; wait a little if there are several.

        Raise DlaRosError unless it is one node, and ours.
        """
        yield from until(lambda: time.monotonic() > self._settled, _DISCOVERY_S)
        yield from until(lambda: len(self._census.holders(target)) == 1, _FAREWELL_S)
        found = self._census.holders(target)
        if len(found) > 1:
            raise DlaRosError(_several(target, found))
        if self._launch_id and not (yield from self._belonging(target)):
            raise DlaRosError(_foreign(target, self._census.holders(target)))
        return found[0].gid if found else b''

    def _belonging(self, target: str) -> Turns[bool]:
        """Return whether our launch has loaded the node, now or within a moment."""
        deadline = time.monotonic() + _FAREWELL_S
        if target not in self._clients:
            self._clients[target] = ParameterClient(self._node, target)
        while time.monotonic() < deadline:
            values = yield from self._clients[target].getting(['launch_id'])
            if values['launch_id'] == self._launch_id:
                return True
            yield
        return False


def _several(target: str, found: list[Holder]) -> str:
    places = ' and '.join(f'one in {each}' for each in found)
    return (
        f"'{target}' is the name of {len(found)} nodes, and every request reaches all: {places}; "
        'stop one, or start it in another namespace'
    )


def _foreign(target: str, found: list[Holder]) -> str:
    if not found:
        return f"'{target}' was loaded by another launch, and is gone; try again"
    return f'{taken(target, found[0])}; nothing of this launch was applied to it'
