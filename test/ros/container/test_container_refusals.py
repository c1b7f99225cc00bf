"""Whatever cannot be loaded or unloaded is answered with a sentence, and the container lives."""

from composition_interfaces.srv import LoadNode
import pytest


@pytest.mark.parametrize(
    ('package', 'plugin', 'words'),
    [
        ('nobody_has_this', 'nobody_has_this::Node', "no Python package 'nobody_has_this'"),
        ('robot_parts', 'robot_parts::arms.Arm', "no module 'robot_parts.arms'"),
        ('robot_parts', 'robot_parts::nodes.Plane', "no class 'Plane'; its node classes are"),
        ('robot_parts', 'robot_parts::nodes.NotANode', 'must inherit from rclpy.node.Node'),
        ('robot_parts', 'robot_parts::nodes.NOT_A_CLASS', 'must inherit from rclpy.node.Node'),
        ('robot_parts', 'robot_parts::broken.Any', 'written late on a Friday'),
        ('robot_parts', 'robot_parts::hungry.Any', "No module named 'a_package_that_nobody_has'"),
        ('robot_parts', 'other::nodes.Plain', "belongs to package 'other'"),
        ('robot_parts', 'robot_parts::nodes/Plain', 'names no Python class'),
        ('robot_parts', '', 'names no Python class'),
        ('', 'Plain', 'names no Python class'),
        ('robot_parts', 'robot_parts::nodes.FailsEarly', 'LookupError: no such camera'),
        ('robot_parts', 'robot_parts::nodes.FailsLate', 'LookupError: the camera is gone'),
        ('robot_parts', 'robot_parts::nodes.Exits', 'SystemExit: 3'),
        ('robot_parts', 'robot_parts::nodes.WantsArguments', 'its constructor: name, rate'),
        ('robot_parts', 'robot_parts::nodes.GoesAround', 'super().__init__'),
    ],
)
def test_a_class_that_cannot_be_loaded_is_explained(box, package, plugin, words):
    answer = box.load(plugin, package=package) if '::' in plugin else raw(box, package, plugin)
    assert not answer.success
    assert words in answer.error_message
    assert answer.unique_id == 0
    assert box.list() == {}
    assert box.load('Plain').success


def raw(box, package, plugin):
    return box.answer(box.ask(LoadNode, 'load_node', package_name=package, plugin_name=plugin))


@pytest.mark.parametrize(
    ('fields', 'words'),
    [
        ({'remap_rules': ['nonsense']}, 'is not FROM:=TO'),
        ({'remap_rules': ['a b:=c']}, 'a b'),
        ({'node_name': 'two words'}, 'two words'),
        ({'node_namespace': 'no//good'}, 'no//good'),
        ({'log_level': 11}, 'log_level 11 is none of'),
        ({'parameters': {'answer': 'seven'}}, 'answer'),
    ],
)
def test_a_placement_that_cannot_be_is_explained(box, fields, words):
    answer = box.load('Plain', **fields)
    assert not answer.success
    assert words in answer.error_message
    assert box.list() == {}
    assert box.load('Plain').success


def test_what_another_launch_loads_into_a_container_of_this_name_is_refused(open_box):
    box = open_box(launch_id='launch_a')
    refused = box.load('Plain', extra={'launch_id': 'launch_b'})
    assert not refused.success
    assert 'the name was taken before, by process' in refused.error_message
    assert box.load('Plain', extra={'launch_id': 'launch_a'}).success
    assert box.load('Plain', node_name='guest').success, 'whoever names the container may load'


def test_a_name_is_refused_while_a_node_has_it_and_free_afterwards(box):
    first = box.load('Plain')
    answer = box.load('Plain')
    assert not answer.success
    assert "there is a node '/plain' in this container already" in answer.error_message
    assert box.list() == {first.unique_id: '/plain'}
    box.unload(first.unique_id)
    assert box.load('Plain').success


def test_the_container_s_own_name_is_taken(box):
    answer = box.load('Plain', node_name='component_container')
    assert "there is a node '/component_container'" in answer.error_message


def test_a_name_in_another_namespace_is_another_name(box):
    assert box.load('Plain').success
    assert box.load('Plain', node_namespace='/rear').success


def test_a_half_made_node_leaves_nothing_in_the_graph(box, client_node):
    assert not box.load('FailsLate').success
    assert not box.load('FailsLate').success, 'its name is free again, the reason the same'
    own = box.node.get_node_names()
    assert 'fails_late' not in own


def test_an_id_that_nobody_has_is_refused(box):
    box.load('Plain')
    answer = box.unload(77)
    assert not answer.success
    assert 'no node has the id 77; ids in use: 1' in answer.error_message


def test_a_callback_that_raises_is_logged_and_the_node_goes_on(box, client_node, log):
    from std_msgs.msg import String

    number = box.load('FailingCallback').unique_id
    node = box.inner(number)
    publisher = client_node.create_publisher(String, 'words', 10)
    for _ in range(200):
        if len(node.heard) > 1:
            break
        publisher.publish(String(data='x'))
        client_node.own_executor.spin_once(timeout_sec=0.05)
    assert len(node.heard) > 1
    assert log.tells('what is x?')
    assert box.unload(number).success


def test_wrong_parameters_of_the_detector_are_told_at_configure(box):
    values = {'engine_file_path': '/nowhere/at_all.dla', 'dla_device': 'emulator'}
    loaded = box.load('dla_ros::DetectorNode', package='dla_ros', parameters=values)
    assert loaded.success
    lifecycle = box.lifecycle('/dla_detector')
    assert not lifecycle.change('configure')
    assert lifecycle.state() == 'unconfigured'
