"""What one node does, or does not get done, is not felt by the others."""

import threading

from dla_ros.ros.container import container as module
from lifecycle_msgs.srv import ChangeState
import pytest
from std_msgs.msg import String


@pytest.fixture
def echoes(client_node):
    """Give a function that shows that '/plain' still serves its callbacks."""
    heard = []
    publisher = client_node.create_publisher(String, 'words', 10)
    client_node.create_subscription(String, 'echo', heard.append, 10)

    def come():
        before = len(heard)
        for _ in range(200):
            publisher.publish(String(data='x'))
            client_node.own_executor.spin_once(timeout_sec=0.05)
            if len(heard) > before + 2:
                return True
        return False

    return come


def test_a_slow_constructor_stops_neither_the_container_nor_the_nodes(box, robot_parts, echoes):
    box.load('Plain')
    slow = box.start_loading('Slow')
    assert spun(box, robot_parts.entered)
    assert echoes()
    assert list(box.list().values()) == ['/plain']
    assert box.load('Plain', node_name='another').success
    assert not slow.done()
    robot_parts.gate.set()
    assert box.answer(slow).success
    assert '/slow' in box.list().values()


def test_a_name_is_taken_while_its_node_is_still_being_made(box, robot_parts):
    slow = box.start_loading('Slow')
    assert spun(box, robot_parts.entered)
    assert "there is a node '/slow'" in box.load('Plain', node_name='slow').error_message
    robot_parts.gate.set()
    assert box.answer(slow).success


def test_a_slow_callback_is_not_felt_by_the_neighbour(box, robot_parts, echoes):
    box.load('Plain')
    box.load('SlowCallback')
    assert robot_parts.entered.wait(10)
    assert echoes()
    robot_parts.gate.set()


def test_a_configure_in_a_callback_is_not_felt_by_the_neighbour(
    box, robot_parts, echoes, client_node
):
    box.load('Plain')
    box.load('SlowConfigure')
    box.lifecycle('/slow_configure')
    change = client_node.create_client(ChangeState, '/slow_configure/change_state')
    request = ChangeState.Request()
    request.transition.label = 'configure'
    pending = change.call_async(request)
    assert spun(box, robot_parts.entered)
    assert echoes()
    assert not pending.done()
    robot_parts.gate.set()
    assert box.answer(pending).success


def test_a_node_in_a_callback_is_unloaded_when_it_returns(box, robot_parts):
    number = box.load('SlowCallback').unique_id
    assert robot_parts.entered.wait(10)
    unloading = box.start_unloading(number)
    second = box.unload(number)
    assert not second.success
    assert 'is being unloaded already' in second.error_message
    assert not unloading.done()
    robot_parts.gate.set()
    assert box.answer(unloading).success
    assert box.list() == {}


def test_a_callback_that_does_not_return_is_told_and_unload_may_be_tried_again(
    box, robot_parts, monkeypatch
):
    monkeypatch.setattr(module, '_UNLOAD_S', 0.05)
    number = box.load('SlowCallback').unique_id
    assert robot_parts.entered.wait(10)
    answer = box.unload(number)
    assert not answer.success
    assert "a callback of '/slow_callback' does not return" in answer.error_message
    assert box.list() == {number: '/slow_callback'}
    robot_parts.gate.set()
    monkeypatch.setattr(module, '_UNLOAD_S', 10.0)
    assert box.unload(number).success


def test_a_plain_lifecycle_node_is_shut_down_by_unload(box, robot_parts):
    number = box.load('SlowConfigure').unique_id
    robot_parts.gate.set()
    assert box.lifecycle('/slow_configure').change('configure')
    assert box.unload(number).success
    assert robot_parts.destroyed == ['shut down from inactive']


def test_end_unloads_everything_and_says_what_it_could_not(box, robot_parts):
    box.load('Plain')
    box.load('SlowCallback')
    assert robot_parts.entered.wait(10)
    assert not box.node.end(1.0)
    assert box.node.nodes == ['/slow_callback']
    robot_parts.gate.set()
    # the unload of before may still be at it
    assert any(box.node.end(10) for _ in range(3))
    assert box.node.nodes == []


def test_end_tells_that_a_node_is_still_being_made(box, robot_parts):
    slow = box.start_loading('Slow')
    assert spun(box, robot_parts.entered)
    assert not box.node.end(0.05)
    robot_parts.gate.set()
    assert box.answer(slow).success


def test_nodes_loaded_and_unloaded_leave_no_thread(box):
    before = set(threading.enumerate())
    numbers = [box.load('Plain', node_name=f'n{each}').unique_id for each in range(3)]
    assert len(set(threading.enumerate()) - before) == 3
    for number in numbers:
        assert box.unload(number).success
    left = [thread for thread in set(threading.enumerate()) - before if thread.name[0] == '/']
    assert left == []


def spun(box, event):
    """Spin the client until the event is set."""
    for _ in range(200):
        if event.wait(0.01):
            return True
        box.spin_once()
    return False
