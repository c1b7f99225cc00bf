"""A node that is destroyed without a shutdown gives back what it took, or says that it cannot."""

import os
import threading

from dla_ros.emulator.process import running
from dla_ros.ros.detector_node import DetectorNode
from dla_ros.ros.lifecycle import ResponsiveLifecycleNode
import pytest
import rclpy
from rclpy.parameter import Parameter

MORE_THAN_A_CORE_HAS = 20  # handles: it has 16


@pytest.fixture
def make(ros_context, shapes):
    def open_node(name='dla_detector'):
        values = {'engine_file_path': str(shapes / 'shapes.dla'), 'dla_device': 'emulator'}
        overrides = [Parameter(key, value=value) for key, value in values.items()]
        return DetectorNode(name, parameter_overrides=overrides)

    return open_node


def state(node):
    return node._state_machine.current_state[1]


def held():
    report = running().report()
    files = len(os.listdir('/proc/self/fd'))
    return report.open_handles, report.registrations, threading.active_count(), files


@pytest.mark.parametrize('is_active', [False, True])
def test_nodes_that_are_only_destroyed_leave_nothing_taken(make, is_active):
    make().destroy_node()
    before = None
    for number in range(MORE_THAN_A_CORE_HAS):
        node = make()
        node.trigger_configure()
        if is_active:
            node.trigger_activate()
        assert state(node) == ('active' if is_active else 'inactive'), number
        node.destroy_node()
        before = before or held()
    assert held() == before
    assert held()[:2] == (0, 0)


def test_a_node_may_be_destroyed_twice_and_after_its_shutdown(make):
    node = make()
    node.trigger_configure()
    node.trigger_shutdown()
    for _ in range(2):
        node.destroy_node()
    assert held()[:2] == (0, 0)


def test_a_node_may_be_destroyed_after_rclpy_was_shut_down(make):
    node = make()
    node.trigger_configure()
    node.trigger_activate()
    rclpy.shutdown()
    node.destroy_node()
    assert held()[:2] == (0, 0)


def test_a_node_may_be_destroyed_by_a_callback_of_its_own(make, spinning):
    node, is_done = make(), threading.Event()

    def on_time():
        if not is_done.is_set():
            node.destroy_node()
            is_done.set()

    node.trigger_configure()
    node.trigger_activate()
    node.create_timer(0.01, on_time)
    spinning(node, executor='single')
    assert is_done.wait(20)
    assert held()[:2] == (0, 0)


class Stuck(ResponsiveLifecycleNode):
    """A node that cannot be released until a gate opens."""

    def __init__(self):
        super().__init__('stuck')
        self.gate = threading.Event()

    def release(self):
        self.gate.wait(30)


def test_what_cannot_be_given_back_is_said(ros_context, log):
    node = Stuck()
    node.trigger_configure()
    node.destroy_node()
    node.gate.set()
    assert "'/stuck' is destroyed while a transition or a task still runs" in log.text
    assert 'stay taken until the process ends' in log.text


def test_a_configure_that_raises_in_a_users_class_leaves_nothing_taken(make, shapes):
    class Mine(DetectorNode):
        def configure(self):
            super().configure()
            raise RuntimeError('in the code of a user')

    values = {'engine_file_path': str(shapes / 'shapes.dla'), 'dla_device': 'emulator'}
    node = Mine('mine', parameter_overrides=[Parameter(k, value=v) for k, v in values.items()])
    node.trigger_configure()
    assert state(node) == 'unconfigured'
    assert held()[:2] == (0, 0)
    node.destroy_node()
