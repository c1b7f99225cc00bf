"""Write topics to a bag, byte for byte."""

from collections.abc import Callable, Sequence
from typing import Any

from dla_ros.bags.write import BagWriter
from dla_ros.ros.message_type import message_class, message_definitions
from rclpy.node import Node
from rclpy.qos import QoSDurabilityPolicy, QoSProfile

_DEPTH = 100


def _ignore(_topic: str, _data: bytes) -> None:
    """Take a message that nobody else wants to see."""


class Recorder:
    """Subscribe to topics and write every message, byte for byte, stamped at its arrival."""

    def __init__(self, node: Node, writer: BagWriter) -> None:
        """Record into an open writer."""
        self._node = node
        self._writer = writer
        self.counts: dict[str, int] = {}
        self.unstamped = 0

    def record(
        self, topic: str, type_name: str, tell: Callable[[str, bytes], None] = _ignore,
        *, is_latched: bool = False,
    ) -> None:  # fmt: skip
        """Record one topic; ``tell`` gets each message after it was written."""
        self.counts[topic] = 0
        qos = QoSProfile(depth=_DEPTH)
        if is_latched:
            qos.durability = QoSDurabilityPolicy.TRANSIENT_LOCAL

        def write(data: bytes) -> None:
            self._writer.write(topic, type_name, data, self._now_ns())
            self.counts[topic] += 1
            tell(topic, data)

        self._node.create_subscription(message_class(type_name), topic, write, qos, raw=True)

    def _now_ns(self) -> int:
        """Return the node's time; say once if it is none."""
        now_ns = int(self._node.get_clock().now().nanoseconds)
        if not now_ns:
            self.unstamped += 1
        if self.unstamped == 1 and not now_ns:
            self._node.get_logger().warning(
                'messages are recorded with the time 0: use_sim_time is set and nothing has come '
                'on /clock; publish it, or leave use_sim_time out'
            )
        return now_ns

    def drain(self, executor: Any) -> None:
        """Write what has arrived and waits to be taken: no more than the queues can hold."""
        for _ in range(_DEPTH * len(self.counts)):
            executor.spin_once(timeout_sec=0)


def definitions_of(type_names: Sequence[str]) -> dict[str, str]:
    """Give the message definitions that a bag of these types must carry."""
    packages = {name.split('/')[0] for name in type_names}
    return {key: text for name in packages for key, text in message_definitions(name).items()}
