"""The topics that a robot file may remap are those that the node has."""

from dla_ros.topics import topics_of_a_node
import pytest


def topics_here(node):
    """Return every topic that the node publishes or subscribes to."""
    name, namespace = node.get_name(), node.get_namespace()
    pairs = [
        *node.get_publisher_names_and_types_by_node(name, namespace),
        *node.get_subscriber_names_and_types_by_node(name, namespace),
    ]
    return {topic for topic, _ in pairs}


@pytest.mark.parametrize('transport', ['raw', 'compressed'])
def test_every_topic_of_an_active_node_is_known(open_rig, transport):
    rig = open_rig(image_topics=['front/image', 'image'], image_transport=transport)
    rig.activate()
    known = {
        rig.node.resolve_topic_name(topic) for topic in topics_of_a_node(['front/image', 'image'])
    }
    found = topics_here(rig.node)
    assert {'/front/detections', '/label_info', '/diagnostics'} <= found
    assert found <= known
