"""A publisher whose messages neighbours get as they are."""

from typing import Any

from dla_ros.ros.handover.switchboard import SWITCHBOARD
from rclpy.node import Node
from rclpy.qos import QoSDurabilityPolicy, QoSProfile


class HandoverPublisher:
    """
    Publish on a topic; hand messages over to HandoverSubscriptions of this process.

    ``publish`` may be called from any thread. A message belongs to everybody from then on: the
    caller must not change it again, nor the memory behind its data. What is published over DDS
    stays what it was, and costs nothing while nobody outside listens.
    """

    def __init__(
        self, node: Node, kind: type, topic: str, qos: QoSProfile | int, **options: Any
    ) -> None:
        """Take what ``node.create_publisher`` takes; give it back with ``close``."""
        self.node = node
        self.publisher = node.create_publisher(kind, topic, qos, **options)
        self.key = (node.context, self.publisher.topic_name, kind)
        self.qos = self.publisher.qos_profile
        # DDS keeps latched messages for those who come later
        self._is_latched = self.qos.durability != QoSDurabilityPolicy.VOLATILE
        self._subscriptions: tuple[Any, ...] = ()
        SWITCHBOARD.add_publisher(self)

    @property
    def topic_name(self) -> str:
        """Give the full name of the topic."""
        return str(self.publisher.topic_name)

    def get_subscription_count(self) -> int:
        """Count who listens, in this process and outside."""
        return len(self._subscriptions) + int(self.publisher.get_subscription_count())

    def publish(self, message: Any) -> None:
        """Hand a message over, and send it if somebody listens over DDS."""
        for subscription in self._subscriptions:
            subscription.take(message)
        if self._is_latched or self.publisher.get_subscription_count():
            self.publisher.publish(message)

    def connect(self, others: tuple[Any, ...]) -> None:
        """Take the subscriptions that get messages from here; the switchboard calls this."""
        self._subscriptions = others

    def close(self) -> None:
        """Destroy the publisher; a second call does nothing."""
        SWITCHBOARD.remove(self)
        self.node.destroy_publisher(self.publisher)
