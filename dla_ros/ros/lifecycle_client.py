"""Drive another process's lifecycle node, as ``ros2 lifecycle set`` does."""

import time
from typing import Any

from dla_ros.errors import DlaRosError
from lifecycle_msgs.srv import ChangeState, GetState
from rclpy.node import Node

# So long Fast DDS believes in a participant that crashed (its lease): then it is forgotten.
_OBLIVION_S = 20.0
_PATIENCE_S = 1.0  # with one question; the answer to get_state takes milliseconds


class LifecycleClient:
    """Ask a node for its state and for transitions; the caller's executor is spun meanwhile."""

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
        """
        Give the label of the current state.

        Asked again and again: where a node of this name has crashed, its services seem ready for
        a while, and the first questions are lost between the dead and the living.
        """
        deadline = time.monotonic() + timeout_s
        answer = None
        while answer is None and time.monotonic() < deadline:
            answer = self._ask(self._get, GetState.Request(), min(timeout_s, _PATIENCE_S))
        if answer is None:
            raise self._silence(timeout_s)
        return str(answer.current_state.label)

    def change(self, transition: str, timeout_s: float = 60.0) -> bool:
        """Do a transition by its label ('configure', ...); tell whether it was done."""
        self.state(timeout_s)  # a transition cannot be asked for twice, so the node must hear us
        request = ChangeState.Request()
        request.transition.label = transition
        answer = self._ask(self._change, request, timeout_s)
        if answer is None:
            raise self._silence(timeout_s)
        return bool(answer.success)

    def _ask(self, client: Any, request: Any, timeout_s: float) -> Any | None:
        """Give the answer, None where none came in time."""
        future = client.call_async(request)
        self._executor.spin_until_future_complete(future, timeout_s)
        if future.done():
            return future.result()
        client.remove_pending_request(future)
        return None

    def _silence(self, timeout_s: float) -> DlaRosError:
        return DlaRosError(
            f"'{self._target}' did not answer within {timeout_s:g} s; is it still running, or "
            'was another of its name stopped just now? Try again'
        )
