"""
State that what we send is what everybody else's vision_msgs and composition_interfaces read.

Two nodes talk only if the RIHS01 hash (REP-2016) of the type is the same on both sides. The
hashes below are those of ros-perception/vision_msgs 4.1.1 and ros2/rcl_interfaces 2.2.0, whose
definitions gave them when built with rosidl.
"""

import json
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
import pytest
import rclpy
from rclpy.context import Context
from vision_msgs.msg import Detection2DArray, LabelInfo

MESSAGES = {
    Detection2DArray: '214274120007f4a683866481336b70310268cfa107aebe9d594a6acf75bda968',
    LabelInfo: '3d37df4015cdf660cc851c51897f2acd957e1ca6205ba0a99aebffb9406b0783',
}
SERVICES = {
    'ListNodes': '13f30d73a74c844ee4bacf78f3680f08777cad137f10fbd6a648544cc7b59d2a',
    'LoadNode': '2e521ef6066fba6d7fc3a3b175d486709f01b4d738d9a59188858546fc8e5acd',
    'UnloadNode': 'dce562f83adc735ddcfe9dfb927b89293d4dd0fe2b8fc91e772fb83e970a43b0',
}


@pytest.fixture
def node():
    context = Context()
    rclpy.init(context=context)
    node = rclpy.create_node('interfaces', context=context)
    yield node
    node.destroy_node()
    rclpy.shutdown(context=context)


@pytest.mark.parametrize('kind', MESSAGES, ids=lambda kind: kind.__name__)
def test_a_message_has_the_published_type_hash_on_the_wire(node, kind):
    node.create_publisher(kind, '~/hash', 1)
    (publisher,) = node.get_publishers_info_by_topic('/interfaces/hash')
    assert str(publisher.topic_type_hash) == f'RIHS01_{MESSAGES[kind]}'


@pytest.mark.parametrize('name', SERVICES)
def test_a_service_has_the_published_type_hash(name):
    share = Path(get_package_share_directory('composition_interfaces'))
    described = json.loads((share / 'srv' / f'{name}.json').read_text())
    hashes = {each['type_name']: each['hash_string'] for each in described['type_hashes']}
    assert hashes[f'composition_interfaces/srv/{name}'] == f'RIHS01_{SERVICES[name]}'
