"""One image topic and what is published beside it."""

from collections.abc import Callable
import math
import time
from typing import Any

from dla_ros.config import DetectorConfig
from dla_ros.errors import ConfigError
from dla_ros.health.hearing import Hearing
from dla_ros.pipeline.counters import Counts
from dla_ros.ros.handover.subscription import HandoverSubscription
from dla_ros.ros.hearing import hearing_of
from dla_ros.ros.in_place.image_type import image_type
from dla_ros.ros.initialise import reason_of
from dla_ros.ros.qos import to_qos
from dla_ros.ros.qos_overrides import QosOverrides
from dla_ros.ros.unknown_parameters import warn_of_unknown_qos
from dla_ros.ros.watch import Watch
from dla_ros.topics import beside, compressed
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.lifecycle import LifecycleNode
from rclpy.node import Node
from sensor_msgs.msg import CompressedImage, Image
from vision_msgs.msg import Detection2DArray

_DEBUG_DEPTH = 1
_QUIET_S = 5.0


class Camera:
    """
    Hold one image topic's publishers from configure to cleanup, its subscription while active.

    Nothing is subscribed while inactive: receiving a 1080p image costs milliseconds of CPU, even
    if it is thrown away.
    """

    def __init__(
        self, node: LifecycleNode, topic: str, config: DetectorConfig, counts: Callable[[], Counts]
    ) -> None:
        """Create the publishers; ``counts`` says what has become of the topic's frames."""
        self.topic = topic
        self._node = node
        self._config = config
        self._subscription: HandoverSubscription | None = None
        self._input, self._output = _overrides(node, topic, config)
        self._qos = self._input.apply(to_qos(config.input_qos, config.input_qos_depth))
        output = self._output.apply(to_qos(config.output_qos, config.output_qos_depth))
        self.detections = node.create_lifecycle_publisher(
            Detection2DArray, beside(topic, 'detections'), output
        )
        self.debug_image = node.create_lifecycle_publisher(
            Image, beside(topic, 'debug_image'), _DEBUG_DEPTH
        )
        self._lost = 0
        self.watch = Watch(node, self, config, counts)
        self._complained_at = -math.inf

    @property
    def lost(self) -> int:
        """Count images that were sent and did not arrive: lost or overtaken, in DDS or by hand."""
        return self._lost + _lost_by(self._subscription)

    @property
    def is_lost_told(self) -> bool:
        """Return whether the RMW tells of lost images; where it does not, ``lost`` is too few."""
        return self._subscription is None or self._subscription.is_missed_told

    @property
    def subscription(self) -> HandoverSubscription | None:
        """Return the subscription; None while inactive."""
        return self._subscription

    @property
    def is_debugged(self) -> bool:
        """Tell whether somebody looks at the debug image."""
        return bool(self.debug_image.get_subscription_count())

    def subscribe(self, on_image: Callable[[str, Any], None]) -> None:
        """
        Start to receive images; ``on_image`` gets the topic and the message.

        They come by hand from a camera node of this process that publishes so (ros/handover).
        Raise ConfigError where ROS does not let it: within a process a topic has one type.
        """
        self.watch.begin()
        try:
            self._subscription = self._subscribe(on_image)
        except rclpy_implementation.RCLError as err:
            misfit = self.hearing().misfit
            words = misfit.text if misfit is not None else reason_of(err)
            raise ConfigError(f"'{self.topic}' cannot be subscribed to: {words}") from err

    def hearing(self) -> Hearing:
        """Return whose images are received, and why those of others are not."""
        if self._subscription is not None and self._subscription.is_handed:
            return Hearing(heard=('a node of this process',))
        topic, config = _subscribed_as(self._node, self.topic, self._config), self._config
        return hearing_of(self._node, self.topic, topic, self._qos, config)

    def _subscribe(self, on_image: Callable[[str, Any], None]) -> HandoverSubscription:
        def receive(message: Any) -> None:
            self.watch.see_image()
            on_image(self.topic, message)

        is_raw = self._config.image_transport == 'raw'
        return HandoverSubscription(
            self._node,
            Image if is_raw else CompressedImage,
            _subscribed_as(self._node, self.topic, self._config),
            receive,
            self._qos,
            received_as=image_type() if is_raw else None,
        )

    def unsubscribe(self) -> None:
        """Stop to receive images."""
        self.watch.end()
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.close()
            self._lost += _lost_by(subscription)

    def complain(self, text: str) -> None:
        """Warn, once in a while: not through rclpy's throttle, which is one for all cameras."""
        now = time.monotonic()
        if now - self._complained_at >= _QUIET_S:
            self._complained_at = now
            self._node.get_logger().warning(text)

    def close(self) -> None:
        """Give subscription and publishers back."""
        self.unsubscribe()
        for publisher in (self.detections, self.debug_image):
            self._node.destroy_lifecycle_publisher(publisher)
        self._input.close()
        self._output.close()


def check_overrides(node: Node, config: DetectorConfig) -> None:
    """
    Raise ConfigError for a wrong QoS override of an image topic or of its detections.

    Those of topics that the node does not have are warned of.
    """
    every = [each for topic in config.image_topics for each in _overrides(node, topic, config)]
    for each in every:
        each.check()
    warn_of_unknown_qos(node, [name for each in every for name in each.names])


def _overrides(
    node: Node, topic: str, config: DetectorConfig
) -> tuple[QosOverrides, QosOverrides]:
    return (
        QosOverrides(node, 'subscription', _subscribed_as(node, topic, config)),
        QosOverrides(node, 'publisher', beside(topic, 'detections')),
    )


def _subscribed_as(node: Node, topic: str, config: DetectorConfig) -> str:
    if config.image_transport == 'raw':
        return topic
    # resolve first, so that remapping the image topic moves its compressed form along
    return compressed(node.resolve_topic_name(topic))


def _lost_by(subscription: HandoverSubscription | None) -> int:
    return 0 if subscription is None else subscription.dropped + subscription.missed
