from threading import Thread

from composition_interfaces.srv import LoadNode
import pytest
from rclpy.logging import get_logger_effective_level, LoggingSeverity
from rclpy.parameter import Parameter
from rclpy.parameter_client import AsyncParameterClient
from std_msgs.msg import String


def test_an_empty_container_lists_nothing(box):
    assert box.list() == {}


def test_a_node_of_a_user_is_loaded_listed_and_unloaded(box, robot_parts):
    loaded = box.load('Plain')
    assert loaded.success, loaded.error_message
    assert loaded.error_message == ''
    assert loaded.full_node_name == '/plain'
    assert box.list() == {loaded.unique_id: '/plain'}
    unloaded = box.unload(loaded.unique_id)
    assert unloaded.success, unloaded.error_message
    assert box.list() == {}
    assert robot_parts.destroyed == ['/plain']


def test_our_own_node_has_a_short_name(box):
    loaded = box.load('dla_ros::DetectorNode', package='dla_ros')
    assert loaded.full_node_name == '/dla_detector', loaded.error_message


def test_the_package_may_be_left_out_of_the_plugin_name(box):
    names = {'package_name': 'robot_parts', 'plugin_name': 'nodes.Plain'}
    loaded = box.answer(box.ask(LoadNode, 'load_node', **names))
    assert loaded.success, loaded.error_message


def test_a_node_gets_the_name_and_namespace_asked_for(box):
    loaded = box.load('Plain', node_name='mine', node_namespace='/left/arm')
    assert loaded.full_node_name == '/left/arm/mine'
    assert box.inner(loaded.unique_id).get_fully_qualified_name() == '/left/arm/mine'


def test_parameters_and_remaps_reach_a_node_without_constructor_arguments(
    box, client_node, wait_until
):
    loaded = box.load('Plain', parameters={'answer': 42}, remap_rules=['words:=/loud/words'])
    assert loaded.success, loaded.error_message
    echoes = []
    client_node.create_subscription(String, '/echo', lambda m: echoes.append(m.data), 10)
    publisher = client_node.create_publisher(String, '/loud/words', 10)
    assert wait_until(lambda: publisher.get_subscription_count() > 0)
    assert wait_until(lambda: client_node.count_publishers('/echo') > 0)
    assert wait_until(lambda: publisher.publish(String(data='x')) or echoes)
    assert echoes[0] == '42'


def test_a_request_is_laid_over_what_the_class_asks_for_itself(box):
    loaded = box.load('Options', parameters={'kept': 'mine'}, remap_rules=['c:=d'])
    assert loaded.full_node_name == '/deep/options'
    node = box.inner(loaded.unique_id)
    assert node.get_parameter('kept').value == 'mine'
    assert node.resolve_topic_name('a') == '/deep/b'
    assert node.resolve_topic_name('c') == '/deep/d'
    assert type(node).__name__ == 'Options'


def test_two_nodes_of_one_class_live_under_two_names(box):
    first, second = box.load('Plain'), box.load('Plain', node_name='other')
    assert first.unique_id != second.unique_id
    assert set(box.list().values()) == {'/plain', '/other'}


def test_a_number_is_never_given_twice(box):
    first = box.load('Plain')
    box.unload(first.unique_id)
    assert box.load('Plain').unique_id > first.unique_id


def test_a_log_level_holds_from_loading_to_unloading(box):
    number = box.load('Plain', log_level=LoggingSeverity.DEBUG.value).unique_id
    assert get_logger_effective_level('plain') == LoggingSeverity.DEBUG
    box.unload(number)
    assert get_logger_effective_level('plain') == LoggingSeverity.INFO


def test_intra_process_comms_are_ignored_with_a_word(box, log):
    loaded = box.load('Plain', extra={'use_intra_process_comms': True})
    assert loaded.success
    assert log.tells('use_intra_process_comms is ignored')


def test_an_unknown_extra_argument_is_told(box, log):
    assert box.load('Plain', extra={'colour': 'red'}).success
    assert log.tells("'colour' is not known")


def test_parameters_of_a_loaded_node_are_served(box, client_node):
    box.load('Plain', parameters={'answer': 5})
    client = AsyncParameterClient(client_node, '/plain')
    assert client.wait_for_services(10)
    found = box.answer(client.get_parameters(['answer']))
    assert found.values[0].integer_value == 5


def test_a_node_with_a_guard_condition_is_served_too(box):
    number = box.load('Guarded').unique_id
    node = box.inner(number)
    node.guard.trigger()
    assert node.seen.wait(10)


@pytest.mark.parametrize('executor', ['single', 'multi', 'auto'])
def test_every_executor_serves_a_node(open_box, client_node, wait_until, executor):
    box = open_box(executor=executor)
    node = box.inner(box.load('Plain').unique_id)
    publisher = client_node.create_publisher(String, 'words', 10)
    assert wait_until(lambda: publisher.publish(String(data='x')) or node.heard)


def test_a_node_that_only_a_new_process_can_help_ends_the_container(box):
    first, second = (
        box.inner(box.load('dla_ros::DetectorNode', package='dla_ros', node_name=name).unique_id)
        for name in ('first', 'second')
    )
    box.load('Plain')
    assert box.node.ending is None
    second._is_lost = True
    assert box.node.ending is None, 'started anew, it would have lost its nodes'
    second.set_parameters([Parameter('when_lost', value='exit')])
    assert not box.node.ending.restarts
    assert first.ending is None


def test_what_a_users_node_calls_ending_is_its_own(box):
    node = box.inner(box.load('Plain').unique_id)
    node.ending = 'happy'
    assert box.node.ending is None


def test_a_node_that_is_just_being_made_is_unloaded_when_the_container_ends(box, robot_parts):
    loading = box.start_loading('Slow')
    assert robot_parts.entered.wait(10)
    ended = []
    ending = Thread(target=lambda: ended.append(box.node.end(10)))
    ending.start()
    robot_parts.gate.set()
    assert box.answer(loading).success
    ending.join(10)
    assert (ended, box.node.nodes) == ([True], [])
    assert box.load('Plain').error_message == 'the container is ending'
