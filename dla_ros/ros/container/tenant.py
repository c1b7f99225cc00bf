"""One node of a container, spun on a thread of its own."""

import threading
import traceback
from typing import Any

from dla_ros.errors import ComponentError
from dla_ros.ros.executors import open_executor
from dla_ros.ros.handover.switchboard import SWITCHBOARD
from dla_ros.ros.lifecycle import ResponsiveLifecycleNode
import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.lifecycle import LifecycleNode
from rclpy.logging import LoggingSeverity
from rclpy.node import Node

_SPIN_S = 0.1
_RUNNING = {'unconfigured', 'inactive', 'active'}


class Tenant:
    """
    Own a node, its executor and the thread that spins it.

    A thread for each node: whatever one does in a callback, a plain lifecycle node's configure of
    seconds included, the images of the others go on (docs/decisions.md has the figures). A
    callback that raises is logged, and the node goes on.
    """

    def __init__(self, number: int, node: Node, executor: str) -> None:
        """Start to spin; ``executor`` is a name that open_executor knows."""
        self.number = number
        self.node: Any = node
        self.name = node.get_fully_qualified_name()
        self._executor = open_executor(_fitting(executor, node))
        self._executor.add_node(node)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._spin, name=self.name, daemon=True)
        self._thread.start()

    def close(self, timeout_s: float) -> None:
        """
        Shut a lifecycle node down, stop its callbacks, destroy it.

        Raise ComponentError if a transition or a callback still runs after ``timeout_s``; then
        nothing is destroyed, and close may be tried again.
        """
        if isinstance(self.node, ResponsiveLifecycleNode) and not self.node.end(timeout_s):
            raise ComponentError(
                f"'{self.name}' is in the middle of a transition, which cannot be broken off; "
                'try again when it has ended, or stop the container'
            )
        self._stop(timeout_s)
        _shut_down(self.node)
        SWITCHBOARD.close_all(self.node)
        self._executor.remove_node(self.node)
        self._executor.shutdown()
        self.node.get_logger().set_level(LoggingSeverity.UNSET)
        _destroy(self.node)

    def _stop(self, timeout_s: float) -> None:
        self._is_over.set()
        self._executor.wake()
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            raise ComponentError(
                f"a callback of '{self.name}' does not return, so the node cannot be taken away; "
                'try again when it has ended, or stop the container'
            )

    def _spin(self) -> None:
        while not self._is_over.is_set() and rclpy.ok():
            try:
                self._executor.spin_once(timeout_sec=_SPIN_S)
            except rclpy_implementation.InvalidHandle as err:
                # a worker thread has destroyed what the event was for
                self.node.get_logger().debug(f'an event came for what is destroyed: {err}')
            except (Exception, SystemExit):
                self.node.get_logger().error(f'a callback failed:\n{traceback.format_exc()}')


def _fitting(executor: str, node: Node) -> str:
    """
    Return another executor where an EventsExecutor does not do: it serves no guard conditions.

    Nor does it survive other waitables (an action server, say) that are destroyed while it spins
    (ros2/rclpy#1644); those of QoS events it never sees (ros/polled_events.py).
    """
    has_others = any(True for _ in node.guards) or any(True for _ in node.waitables)
    return 'single' if executor == 'auto' and has_others else executor


def _shut_down(node: Any) -> None:
    """Shut a plain lifecycle node of rclpy down, so that it gives back what it took."""
    if isinstance(node, LifecycleNode) and node._state_machine.current_state[1] in _RUNNING:
        node.trigger_shutdown()


def _destroy(node: Any) -> None:
    """Destroy a node, and a plain lifecycle node's state machine, which keeps the DDS node."""
    node.destroy_node()
    if isinstance(node, LifecycleNode) and not isinstance(node, ResponsiveLifecycleNode):
        node._state_machine.destroy_when_not_in_use()
