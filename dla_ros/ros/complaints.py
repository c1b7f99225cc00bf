"""What other nodes log as errors: the only place where a refused transition says why."""

from collections import defaultdict, deque
from typing import Any

from rcl_interfaces.msg import Log
from rclpy.node import Node
from rclpy.qos import QoSDurabilityPolicy, QoSProfile

# durable, so that what a node said while we were being found comes too
_KEPT = 20  # of each node; whoever listens for weeks must not grow
_ROSOUT = QoSProfile(depth=1000, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)


class Complaints:
    """Keep the errors on /rosout, by the full name of the node that logged them."""

    def __init__(self, node: Node) -> None:
        """Listen from now on; what was logged in the last seconds comes too."""
        self._texts: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_KEPT))
        self._fatal: dict[str, str] = {}
        self._subscription = node.create_subscription(Log, '/rosout', self._on_log, _ROSOUT)

    def has(self, node: str) -> bool:
        """Tell whether a node has complained since its last complaint was taken."""
        return bool(self._texts[_logger(node)])

    def take(self, node: str) -> str:
        """Give the oldest complaint of a node, and forget it; '' if there is none."""
        texts = self._texts[_logger(node)]
        return texts.popleft() if texts else ''

    def gravest(self, node: str) -> str:
        """Give the newest of a node's gravest complaints, and keep it; '' if there is none."""
        return self._fatal.get(_logger(node)) or next(reversed(self._texts[_logger(node)]), '')

    def forget(self, node: str) -> None:
        """Forget what a node has complained of so far."""
        self._texts.pop(_logger(node), None)
        self._fatal.pop(_logger(node), None)

    def _on_log(self, message: Any) -> None:
        if message.level >= Log.ERROR:
            self._texts[message.name].append(message.msg)
        if message.level >= Log.FATAL:
            self._fatal[message.name] = message.msg


def _logger(node: str) -> str:
    """Give the name of a node's logger: '/front/detector' logs as 'front.detector'."""
    return node.strip('/').replace('/', '.')
