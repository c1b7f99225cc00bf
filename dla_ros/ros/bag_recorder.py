"""The executable ``bag_recorder``: write topics to an MCAP bag until a signal."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
import sys
from typing import Any

from dla_ros.bags.write import BagWriter
from dla_ros.errors import DlaRosError
from dla_ros.ros.executors import open_executor
from dla_ros.ros.message_type import message_class, message_definitions
from dla_ros.ros.process import ros, spin
from dla_ros.ros.topic_names import resolve_topic
import rclpy
from rclpy.node import Node
from rclpy.qos import QoSDurabilityPolicy, QoSProfile
from rclpy.utilities import remove_ros_args

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
            self._writer.write(topic, type_name, data, self._node.get_clock().now().nanoseconds)
            self.counts[topic] += 1
            tell(topic, data)

        self._node.create_subscription(message_class(type_name), topic, write, qos, raw=True)

    def drain(self, executor: Any) -> None:
        """Write what has arrived and waits to be taken: no more than the queues can hold."""
        for _ in range(_DEPTH * len(self.counts)):
            executor.spin_once(timeout_sec=0)


def definitions_of(type_names: Sequence[str]) -> dict[str, str]:
    """Give the message definitions that a bag of these types must carry."""
    packages = {name.split('/')[0] for name in type_names}
    return {key: text for name in packages for key, text in message_definitions(name).items()}


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog='bag_recorder', description=__doc__)
    parser.add_argument('bag', type=Path, help='folder to make')
    parser.add_argument('topics', nargs='+', metavar='TOPIC=TYPE',
                        help='as /camera/detections=vision_msgs/msg/Detection2DArray')  # fmt: skip
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Record until SIGINT or SIGTERM, then tell what was recorded."""
    arguments = list(arguments if arguments is not None else sys.argv)
    options = parse(remove_ros_args(arguments)[1:])
    try:
        return _record(options, arguments)
    except DlaRosError as err:
        print(f'bag_recorder: {err}', file=sys.stderr)
        return 1


def _record(options: argparse.Namespace, arguments: Sequence[str]) -> int:
    pairs = [_pair(text) for text in options.topics]
    definitions = definitions_of([type_name for _, type_name in pairs])
    with ros(arguments) as stop, BagWriter.open(options.bag, definitions) as writer:
        node: Any = rclpy.create_node('bag_recorder')
        recorder = Recorder(node, writer)
        for topic, type_name in pairs:
            resolve_topic(node, topic)
            recorder.record(topic, type_name)
        executor = open_executor('auto')
        executor.add_node(node)
        spin(executor, lambda: stop.is_asked)
        recorder.drain(executor)
        for topic, count in recorder.counts.items():
            print(f'{topic}: {count} messages')
        node.destroy_node()
    return 0


def _pair(text: str) -> tuple[str, str]:
    topic, equals, type_name = text.partition('=')
    if not equals or type_name.count('/') != 2:
        raise DlaRosError(f"'{text}' is not TOPIC=TYPE, as /image=sensor_msgs/msg/Image")
    return topic, type_name


if __name__ == '__main__':
    sys.exit(main())
