"""Whether the publishers of a camera are heard: the graph, looked at for one subscription."""

from dla_ros.config import DetectorConfig
from dla_ros.health.hearing import hear, Hearing, Wish
from dla_ros.ros.publishers import offers_on, published_images
from rclpy.node import Node
from rclpy.qos import QoSProfile


def hearing_of(
    node: Node, topic: str, subscribed_as: str, qos: QoSProfile, config: DetectorConfig
) -> Hearing:
    """Return who is heard on ``subscribed_as``, which stands for ``topic`` of image_topics."""
    wish = Wish(
        node.resolve_topic_name(topic),
        node.resolve_topic_name(subscribed_as),
        config.image_transport,
        config.input_qos,
    )
    offers = offers_on(node, subscribed_as, qos)
    is_heard = any(o.type_name == wish.type_name and not o.conflict for o in offers)
    return hear(wish, offers, {} if is_heard else published_images(node))
