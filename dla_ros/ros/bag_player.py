"""The executable ``bag_player``: publish a recorded bag, byte for byte, at its own pace."""

import argparse
from collections import Counter
from collections.abc import Sequence
import math
from pathlib import Path
import sys
import time
from typing import Any

from dla_ros.bags.read import BagMessage, read_messages
from dla_ros.errors import BagError, DlaRosError
from dla_ros.ros.message_type import message_class
from dla_ros.ros.process import ros, Stop
import rclpy
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.utilities import remove_ros_args

_DISCOVERY_S = 0.02
DEPTH = 10
_ACK_S = 0.2  # a signal is noticed between two waits
_PATIENCE_S = 10.0  # with a subscriber that takes nothing any more


class BagPlayer:
    """
    Publish messages of a bag on the topics that they were recorded from.

    No message is pushed out of DDS's history before every reliable subscriber has it: the player
    falls behind with a subscriber that stalls, and only gives up on one that stalls for long.
    """

    def __init__(self, node: Node, rate: float) -> None:
        """Play ``rate`` times as fast as recorded; 0 plays as fast as it can be published."""
        self._node = node
        self._rate = rate
        self._publishers: dict[str, Any] = {}
        self._unconfirmed: Counter[str] = Counter()
        self._given_up: set[str] = set()
        self.published = 0

    def announce(self, topics: dict[str, str]) -> None:
        """Create a reliable publisher for each topic, name to type."""
        for topic, type_name in topics.items():
            kind = message_class(type_name)
            self._publishers[topic] = self._node.create_publisher(
                kind, topic, QoSProfile(depth=DEPTH)
            )

    def wait_for_subscribers(self, stop: Stop, timeout_s: float) -> bool:
        """Wait until each topic has a subscriber; tell whether they all came in time."""
        deadline = time.monotonic() + timeout_s
        while not all(pub.get_subscription_count() for pub in self._publishers.values()):
            if stop.is_asked or time.monotonic() > deadline:
                return False
            time.sleep(_DISCOVERY_S)
        return True

    def play(self, messages: Sequence[BagMessage], stop: Stop) -> None:
        """Publish the messages, spaced as recorded."""
        start, first = time.monotonic(), messages[0].stamp_ns
        for message in messages:
            if self._rate:
                due = start + (message.stamp_ns - first) / 1e9 / self._rate
                time.sleep(max(0.0, due - time.monotonic()))
            if stop.is_asked:
                return
            self._publish(message, stop)

    def finish(self, stop: Stop) -> None:
        """Wait until reliable subscribers have everything."""
        for topic in self._publishers:
            self._confirm(topic, stop)

    def _publish(self, message: BagMessage, stop: Stop) -> None:
        if self._unconfirmed[message.topic] == DEPTH:
            self._confirm(message.topic, stop)
        self._publishers[message.topic].publish(message.data)
        self._unconfirmed[message.topic] += 1
        self.published += 1

    def _confirm(self, topic: str, stop: Stop) -> None:
        """Wait until reliable subscribers of a topic have what was published."""
        if topic in self._given_up:
            return
        self._unconfirmed[topic] = 0
        deadline = time.monotonic() + _PATIENCE_S
        while not self._publishers[topic].wait_for_all_acked(Duration(seconds=_ACK_S)):
            if stop.is_asked:
                return
            if time.monotonic() > deadline:
                self._given_up.add(topic)
                self._node.get_logger().warning(
                    f"a subscriber of '{topic}' has taken nothing for {_PATIENCE_S:g} s; it is "
                    'not waited for any more, and misses messages'
                )
                return


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog='bag_player', description=__doc__)
    parser.add_argument('bag', type=Path, help='folder of a rosbag2 bag (mcap or sqlite3)')
    parser.add_argument('--topics', nargs='+', default=None, help='only these topics')
    parser.add_argument('--rate', type=_rate, default=1.0, help='speed; 0: as fast as possible')
    parser.add_argument('--wait', type=float, default=0.0, metavar='SECONDS',
                        help='wait so long for a subscriber on each topic')  # fmt: skip
    return parser.parse_args(arguments)


def _rate(text: str) -> float:
    rate = float(text)
    if not 0 <= rate < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is no speed; give 1 for as recorded, or 0")
    return rate


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the bag and tell how many messages were published."""
    arguments = list(arguments if arguments is not None else sys.argv)
    options = parse(remove_ros_args(arguments)[1:])
    try:
        messages = list(read_messages(options.bag, options.topics))
        if not messages:
            raise BagError(f"'{options.bag}' holds no message to play")
    except DlaRosError as err:
        print(f'bag_player: {err}', file=sys.stderr)
        return 1
    with ros(arguments) as stop:
        node = rclpy.create_node('bag_player')
        player = BagPlayer(node, options.rate)
        player.announce({message.topic: message.type_name for message in messages})
        if options.wait and not player.wait_for_subscribers(stop, options.wait):
            print(f'bag_player: no subscriber after {options.wait} s', file=sys.stderr)
        player.play(messages, stop)
        player.finish(stop)
        print(f'published {player.published} of {len(messages)} messages')
        node.destroy_node()
    return 0


if __name__ == '__main__':
    sys.exit(main())
