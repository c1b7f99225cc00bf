"""Publish a recorded bag, byte for byte, at its own pace."""

from collections import Counter
from collections.abc import Iterable
import time
from typing import Any

from dla_ros.bags.read import BagMessage
from dla_ros.ros.message_type import message_class
from dla_ros.ros.stop import Stop
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import QoSProfile, QoSReliabilityPolicy

_DISCOVERY_S = 0.02
DEPTH = 10
SETTLE_S = 0.5  # discovery takes less, on a busy machine too
_ACK_S = 0.2  # a signal is noticed between two waits
_LONG_S = 10.0
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
        if any(self._has_best_effort(topic) for topic in self._publishers):
            time.sleep(SETTLE_S)
        return True

    def _has_best_effort(self, topic: str) -> bool:
        """
        Tell whether a subscriber may miss the first message.

        It is known here before we are known there, and what comes meanwhile it does not take; one
        that is reliable asks for it afterwards.
        """
        subscribers = self._node.get_subscriptions_info_by_topic(topic)
        reliable = QoSReliabilityPolicy.RELIABLE
        return any(each.qos_profile.reliability != reliable for each in subscribers)

    def play(self, messages: Iterable[BagMessage], stop: Stop) -> None:
        """Publish the messages, spaced as recorded."""
        start, first = time.monotonic(), None
        for message in messages:
            first = message.stamp_ns if first is None else first
            if self._rate:
                self._wait_until(start + (message.stamp_ns - first) / 1e9 / self._rate, stop)
            if stop.is_asked:
                return
            self._publish(message, stop)

    def _wait_until(self, due_s: float, stop: Stop) -> None:
        """Wait, and say so if it is for long: a clock that is set leaves years in a bag."""
        left_s = due_s - time.monotonic()
        if left_s > _LONG_S:
            self._node.get_logger().info(
                f'nothing is played for {left_s:.0f} s: the bag has a gap there, or its clock was '
                'set; --rate shortens it, --rate 0 leaves no gap'
            )
        while left_s > 0 and not stop.is_asked:
            time.sleep(min(left_s, _ACK_S))
            left_s = due_s - time.monotonic()

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
