"""Configure and activate lifecycle nodes one after the other, and say why one refused."""

import time
from typing import Any

from dla_ros.errors import DlaRosError
from dla_ros.ros.census import Census
from dla_ros.ros.complaints import Complaints
from dla_ros.ros.lifecycle_client import LifecycleClient
from dla_ros.ros.ownership import Ownership
from dla_ros.ros.turns import finish, Turns, until
import rclpy
from rclpy.node import Node

_STEPS = {'unconfigured': ('configure', 'activate'), 'inactive': ('activate',), 'active': ()}
_TRANSITION_S = 120.0  # a network of several hundred MB from a slow card
_REASON_S = 5.0  # /rosout may be found later than the services
_AFTER_COMPLAINT_S = 3.0


class BringUp:
    """
    Bring nodes to 'active', whichever process they live in.

    The answer to change_state says only whether a transition was done. Why it was not, a node
    logs as an error; so this listens on /rosout. ``container`` is where the nodes are being
    loaded: its own complaints say why a node does not appear. ``launch_id`` is that of the launch
    which loads them: others of their names are not touched. ``gids`` tells by name which nodes
    were the last to be brought up.
    """

    def __init__(
        self, node: Node, executor: Any, container: str = '', launch_id: str = ''
    ) -> None:
        """Listen; ``executor`` has ``node``, and is spun here."""
        self._node = node
        self._executor = executor
        self._container = container
        self.census = Census(node)
        self._ownership = Ownership(node, self.census, launch_id)
        self.gids: dict[str, bytes] = {}
        self.complaints = Complaints(node)
        self._clients: dict[str, LifecycleClient] = {}

    def activate(self, target: str, wait_s: float) -> tuple[str, ...]:
        """Do as ``activating`` does, and spin the executor meanwhile."""
        return finish(self._executor, self.activating(target, wait_s))

    def activating(self, target: str, wait_s: float) -> Turns[tuple[str, ...]]:
        """
        Bring the node called ``target`` to 'active', in turns; return the transitions it took.

        Raise DlaRosError, with the node's own reason, if it does not appear within ``wait_s``,
        refuses, is not the only one of its name, or is in a state that has no way to 'active'.
        """
        client = self.client(target)
        yield from self._waiting(client, target, wait_s)
        self.gids[target] = yield from self._ownership.checking(target)
        state = yield from client.asking()
        steps = _STEPS.get(state)
        if steps is None:
            raise DlaRosError(
                f"'{target}' is {state}, from where nothing leads to active; start it again"
            )
        for step in steps:
            self.complaints.forget(target)
            if not (yield from client.changing(step, _TRANSITION_S)):
                reason = yield from self._asking_why(target, step)
                raise DlaRosError(f"'{target}': {reason}")
        return steps

    def client(self, target: str) -> LifecycleClient:
        """Return the client of a node, always the same."""
        if target not in self._clients:
            self._clients[target] = LifecycleClient(self._node, self._executor, target)
        return self._clients[target]

    def _waiting(self, client: LifecycleClient, target: str, wait_s: float) -> Turns[None]:
        """Wait for a node; a container that cannot load it will hardly load it later."""
        deadline = time.monotonic() + wait_s
        is_doubtful = False
        while not client.is_there:
            if time.monotonic() > deadline or not rclpy.ok():
                raise DlaRosError(self._absence(target, wait_s))
            yield
            if not is_doubtful and self._container and self.complaints.has(self._container):
                is_doubtful = True
                deadline = min(deadline, time.monotonic() + _AFTER_COMPLAINT_S)

    def _absence(self, target: str, wait_s: float) -> str:
        said = self.complaints.take(self._container) if self._container else ''
        if said:
            return f"'{target}' was not loaded: '{self._container}' {said}"
        text = f"no lifecycle node '{target}' after {wait_s:g} s"
        if self._container and not self._is_running(self._container):
            return f"{text}: there is no container '{self._container}'; start it first"
        return f'{text}; is it running, and in the same ROS_DOMAIN_ID?'

    def _is_running(self, container: str) -> bool:
        namespace, _, name = container.rpartition('/')
        # the list of services has those too that somebody only asks for, as launch does
        return (name, namespace or '/') in self._node.get_node_names_and_namespaces()

    def _asking_why(self, target: str, step: str) -> Turns[str]:
        yield from until(lambda: self.complaints.has(target), _REASON_S)
        return self.complaints.take(target) or f'{step} was refused; its log says why'
