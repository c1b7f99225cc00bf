"""Which publishers and subscriptions of this process meet, by topic."""

from collections.abc import Hashable
from threading import RLock
from typing import Any, Protocol

from dla_ros.ros.compatibility import meet
from rclpy.node import Node
from rclpy.qos import QoSDurabilityPolicy, QoSProfile


class End(Protocol):
    """Be a publisher or a subscription of ``node``; ``key`` is what two must share to meet."""

    node: Node
    key: Hashable
    qos: QoSProfile

    def connect(self, others: tuple[Any, ...]) -> None:
        """Take the ends on the other side, now and whenever they change."""

    def close(self) -> None:
        """Give up the end, and what it has of ROS."""


class Switchboard:
    """
    Connect publishers with subscriptions of the same key and compatible QoS.

    ``connect`` is called under the lock, from the thread that adds or removes an end.
    """

    def __init__(self) -> None:
        """Start with nobody."""
        self._lock = RLock()
        self._publishers: list[End] = []
        self._subscriptions: list[End] = []

    def add_publisher(self, publisher: End) -> None:
        """Connect a publisher from now on."""
        self._change(self._publishers, publisher, is_new=True)

    def add_subscription(self, subscription: End) -> None:
        """Connect a subscription from now on."""
        self._change(self._subscriptions, subscription, is_new=True)

    def remove(self, end: End) -> None:
        """Connect an end no more; nothing happens if it is not connected."""
        for side in (self._publishers, self._subscriptions):
            if end in side:
                self._change(side, end, is_new=False)

    def close_all(self, node: Node) -> None:
        """Close what a node that is about to be destroyed has not closed itself."""
        with self._lock:
            ends = [end for end in (*self._publishers, *self._subscriptions) if end.node is node]
        for end in ends:
            end.close()

    def _change(self, side: list[End], end: End, *, is_new: bool) -> None:
        with self._lock:
            if is_new:
                side.append(end)
            else:
                side.remove(end)
            for each in (*self._publishers, *self._subscriptions):
                if each.key == end.key:
                    each.connect(self._others(each))

    def _others(self, end: End) -> tuple[End, ...]:
        if end in self._publishers:
            return tuple(each for each in self._subscriptions if _meet(end, each))
        return tuple(each for each in self._publishers if _meet(each, end))


def _meet(publisher: End, subscription: End) -> bool:
    """Tell whether DDS would let these two meet, and handing over is the same thing."""
    if publisher.key != subscription.key:
        return False
    profiles = (publisher.qos, subscription.qos)
    # A latched message must reach who comes later, and handing over keeps none.
    if any(each.durability != QoSDurabilityPolicy.VOLATILE for each in profiles):
        return False
    return meet(*profiles)


SWITCHBOARD = Switchboard()
