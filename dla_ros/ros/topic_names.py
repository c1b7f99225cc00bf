"""Topic names as ROS sees them: checked, resolved, remapped."""

from collections.abc import Sequence

from dla_ros.errors import ConfigError
from dla_ros.topics import beside, check_form, check_topics, compressed
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node


def check_topic_names(node: Node, image_topics: Sequence[str]) -> None:
    """
    Refuse image topics that ROS or the node does not take, and two that are one for ROS.

    'image' and '/image' are the same topic of a node without a namespace; so are two that are
    remapped to one. Raise ConfigError.
    """
    check_topics(image_topics)
    seen: dict[str, str] = {}
    for topic in image_topics:
        place = resolve_topic(node, topic, 'image_topics: ')
        check_form(place, topic)
        for name in (beside(topic, 'detections'), beside(topic, 'debug_image'), compressed(place)):
            resolve_topic(node, name, 'image_topics: ')
        if place in seen:
            raise ConfigError(
                f"image_topics '{seen[place]}' and '{topic}' are both '{place}' (namespace and "
                'remappings applied); name each camera once'
            )
        seen[place] = topic


def resolve_topic(node: Node, topic: str, where: str = '') -> str:
    """Give the full name of a topic; raise ConfigError, ``where`` before it, if it cannot be."""
    try:
        return str(node.resolve_topic_name(topic))
    except rclpy_implementation.RCLError as err:
        reason = str(err).removeprefix('failed to resolve name: ').partition(', at ')[0]
        raise ConfigError(
            f"{where}'{topic}' cannot be a topic: {reason}; a right one is /front/image_raw"
        ) from err
