"""Who publishes what, as the graph shows it."""

from dla_ros.health.hearing import IMAGE_TYPES, Offer
from dla_ros.ros.compatibility import why_incompatible
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.topic_endpoint_info import TopicEndpointInfo

UNNAMED = 'a node whose name does not come through either'
_UNKNOWN = '_NODE_NAME_UNKNOWN_'  # rmw's word for it


def offers_on(node: Node, topic: str, wanted: QoSProfile) -> list[Offer]:
    """Return the publishers of a topic, and what keeps one from being heard by such a QoS."""
    return [
        Offer(
            _name(info),
            info.topic_type,
            ', '.join(
                _told(policy, info.qos_profile, wanted)
                for policy in why_incompatible(info.qos_profile, wanted)
            ),
        )
        for info in node.get_publishers_info_by_topic(topic)
    ]


def published_images(node: Node) -> dict[str, list[str]]:
    """Return the types of every topic of images that another node publishes."""
    own = (node.get_name(), node.get_namespace())
    return {
        topic: types
        for topic, types in node.get_topic_names_and_types()
        if not IMAGE_TYPES.isdisjoint(types)
        and any(
            (info.node_name, info.node_namespace) != own
            for info in node.get_publishers_info_by_topic(topic)
        )
    }


def _name(info: TopicEndpointInfo) -> str:
    """Return the full name of a publisher's node, which comes by a way of its own, or never."""
    if info.node_name == _UNKNOWN:
        return UNNAMED
    return f'{info.node_namespace.rstrip("/")}/{info.node_name}'


def _told(policy: str, offered: QoSProfile, wanted: QoSProfile) -> str:
    """Return a policy and its two sides: ``RELIABILITY: BEST_EFFORT offered, RELIABLE wanted``."""
    field = policy.lower()
    sides = (_word(getattr(offered, field)), _word(getattr(wanted, field)))
    return f'{policy}: {sides[0]} offered, {sides[1]} wanted'


def _word(value: object) -> str:
    return str(getattr(value, 'name', value))
