import gc
import os
import signal
import subprocess
import sys
import time

from composition_interfaces.srv import LoadNode
from dla_ros.errors import ConfigError, DlaRosError
from dla_ros.ros.bring_up import BringUp
from dla_ros.ros.detector_node import DetectorNode
from dla_ros.ros.lifecycle import ResponsiveLifecycleNode
import pytest
import rclpy
from rclpy.parameter import Parameter


class Probe(ResponsiveLifecycleNode):
    """A lifecycle node that refuses as told."""

    def __init__(self, name='probe', **options):
        super().__init__(name, **options)
        self.refused = ''

    def configure(self):
        if self.refused:
            raise ConfigError(self.refused)


@pytest.fixture
def probe(ros_context):
    node = Probe(namespace='/front')
    yield node
    node.destroy_node()
    del node
    gc.collect()  # a node that ends later would take /rosout from the next one of its name


@pytest.fixture
def act(client_node):
    return BringUp(client_node, client_node.own_executor, '/box')


def test_a_node_is_configured_and_activated(act, probe, spinning):
    spinning(probe)
    assert act.activate('/front/probe', 10) == ('configure', 'activate')
    assert act.activate('/front/probe', 10) == ()


def test_a_refusal_is_told_in_the_words_of_the_node(act, probe, spinning):
    probe.refused = 'engine_file_path is empty'
    spinning(probe)
    with pytest.raises(DlaRosError) as caught:
        act.activate('/front/probe', 10)
    assert str(caught.value) == "'/front/probe': configure failed: engine_file_path is empty"


def test_an_older_complaint_is_not_taken_for_the_reason(act, probe, spinning):
    spinning(probe)
    probe.refused = 'the first reason'
    with pytest.raises(DlaRosError, match='the first reason'):
        act.activate('/front/probe', 10)
    probe.refused = 'the second reason'
    with pytest.raises(DlaRosError, match='the second reason'):
        act.activate('/front/probe', 10)
    probe.refused = ''
    assert act.activate('/front/probe', 10) == ('configure', 'activate')


def test_a_node_that_has_ended_its_life_is_said_to_be_so(act, probe, spinning):
    probe.trigger_shutdown()
    spinning(probe)
    with pytest.raises(DlaRosError, match="'/front/probe' is finalized"):
        act.activate('/front/probe', 10)


def test_a_node_that_does_not_come_is_missed_with_its_container(act):
    with pytest.raises(DlaRosError, match=r"no lifecycle node '/nobody'.*no container '/box'"):
        act.activate('/nobody', 0.5)


def test_a_container_that_cannot_load_is_quoted_before_patience_ends(act, spinning):
    box = rclpy.create_node('box')
    box.create_service(LoadNode, '~/_container/load_node', lambda _, response: response)
    spinning(box)
    box.get_logger().error('cannot load: no such class')
    with pytest.raises(DlaRosError) as caught:
        act.activate('/nobody', 60)
    assert str(caught.value) == "'/nobody' was not loaded: '/box' cannot load: no such class"
    with pytest.raises(DlaRosError, match='is it running, and in the same ROS_DOMAIN_ID'):
        act.activate('/nobody', 0.5)
    box.destroy_node()


def test_two_nodes_of_one_name_are_told_and_not_touched(act, probe, spinning):
    twin = Probe(namespace='/front')
    spinning(probe)
    spinning(twin)
    with pytest.raises(DlaRosError) as caught:
        act.activate('/front/probe', 10)
    assert str(caught.value).startswith("'/front/probe' is the name of 2 nodes, and every")
    states = {each._state_machine.current_state[1] for each in (probe, twin)}
    assert states == {'unconfigured'}
    twin.destroy_node()


@pytest.fixture
def loaded(spinning):
    """Give a function that opens the node which a launch has loaded."""
    nodes = []

    def load(launch_id):
        node = DetectorNode('eye', parameter_overrides=[Parameter('launch_id', value=launch_id)])
        nodes.append(node)
        spinning(node)
        return node

    yield load
    for node in nodes:
        node.destroy_node()


def test_a_node_of_another_launch_is_told_and_not_touched(client_node, loaded):
    node = loaded('launch_a')
    act = BringUp(client_node, client_node.own_executor, launch_id='launch_b')
    with pytest.raises(DlaRosError) as caught:
        act.activate('/eye', 10)
    assert str(caught.value).startswith("the name '/eye' is taken: a node of that name runs in")
    assert f'process {os.getpid()}' in str(caught.value)
    assert 'engine_file_path' not in str(caught.value), 'it was not asked to configure'
    assert node._state_machine.current_state[1] == 'unconfigured'


def test_a_node_of_the_own_launch_is_asked(client_node, loaded):
    loaded('launch_a')
    act = BringUp(client_node, client_node.own_executor, launch_id='launch_a')
    with pytest.raises(DlaRosError, match='engine_file_path'):
        act.activate('/eye', 10)


def command(*words):
    return [sys.executable, '-m', 'dla_ros.ros.bring_up_main', *words]


def test_the_command_brings_up_every_node_or_says_which_not(probe, spinning):
    other = Probe('other')
    other.refused = 'no network'
    spinning(probe)
    spinning(other)
    words = ['--wait-s', '20', '/other', '/front/probe']
    said = subprocess.run(command(*words), capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout) == (1, '')
    assert said.stderr.endswith("bring_up: '/other': configure failed: no network\n")
    words.append('--keep-going')
    said = subprocess.run(command(*words), capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout) == (1, "bring_up: '/front/probe' is active\n")
    other.refused = ''
    said = subprocess.run(command(*words), capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stderr) == (0, '')
    other.destroy_node()


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_the_command_ends_quietly_on_a_signal(number, client_node):
    waiting = subprocess.Popen(command('/nobody'), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    name = f'bring_up_{waiting.pid}'
    while name not in client_node.get_node_names() and time.monotonic() < deadline:
        client_node.own_executor.spin_once(timeout_sec=0.1)
    waiting.send_signal(number)
    _, errors = waiting.communicate(timeout=20)
    assert (waiting.returncode, errors) == (0, '')
