"""Drive another process's lifecycle node, as ``ros2 lifecycle set`` does."""

from typing import Any

from dla_ros.errors import DlaRosError
from dla_ros.ros.turns import ask, finish, insist, Turns
from lifecycle_msgs.srv import ChangeState, GetState
from rclpy.node import Node

# So long Fast DDS believes in a participant that crashed (its lease): then it is forgotten.
_OBLIVION_S = 20.0
_GLANCE_S = 1.0  # an answer takes milliseconds


class LifecycleClient:
    """
    Ask a node for its state and for transitions.

    ``state`` and ``change`` spin the caller's executor meanwhile; ``asking`` and ``changing`` do
    the same in turns (turns.py).
    """

    def __init__(self, node: Node, executor: Any, target: str) -> None:
        """Create the clients; ``target`` is the node's name with its namespace."""
        self._executor = executor
        self._target = target
        self._change = node.create_client(ChangeState, f'{target}/change_state')
        self._get = node.create_client(GetState, f'{target}/get_state')

    @property
    def is_there(self) -> bool:
        """Tell whether the node has been found."""
        return bool(self._change.service_is_ready() and self._get.service_is_ready())

    def wait(self, timeout_s: float) -> None:
        """Wait until the node is there; raise DlaRosError if it does not come."""
        for client in (self._change, self._get):
            if not client.wait_for_service(timeout_s):
                raise DlaRosError(
                    f"no lifecycle node '{self._target}' after {timeout_s} s; "
                    'is it running, and in the same ROS_DOMAIN_ID?'
                )

    def state(self, timeout_s: float = _OBLIVION_S) -> str:
        """Return the label of the current state; raise DlaRosError if none is told in time."""
        return finish(self._executor, self.asking(timeout_s))

    def change(self, transition: str, timeout_s: float = 60.0) -> bool:
        """Do a transition by its label ('configure', ...); return whether it was done."""
        return finish(self._executor, self.changing(transition, timeout_s))

    def asking(self, timeout_s: float = _OBLIVION_S) -> Turns[str]:
        """Do as ``state`` does, in turns."""
        answer = yield from insist(self._get, GetState.Request(), timeout_s)
        if answer is None:
            raise self._silence(timeout_s)
        return str(answer.current_state.label)

    def glancing(self) -> Turns[str]:
        """Return the label of the current state in turns; '' where it is not told at once."""
        answer = yield from ask(self._get, GetState.Request(), _GLANCE_S)
        return '' if answer is None else str(answer.current_state.label)

    def changing(self, transition: str, timeout_s: float = 60.0) -> Turns[bool]:
        """Do as ``change`` does, in turns."""
        # a transition cannot be asked for twice, so the node must hear us
        yield from self.asking(timeout_s)
        request = ChangeState.Request()
        request.transition.label = transition
        answer = yield from ask(self._change, request, timeout_s)
        if answer is None:
            raise self._silence(timeout_s)
        return bool(answer.success)

    def _silence(self, timeout_s: float) -> DlaRosError:
        return DlaRosError(
            f"'{self._target}' did not answer within {timeout_s:g} s; is it still running, or "
            'was another of its name stopped just now? Try again'
        )
