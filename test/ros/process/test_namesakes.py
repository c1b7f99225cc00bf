"""Two processes that want one name: the newer goes and says why; the dead are in nobody's way."""

import subprocess
import sys

from composition_interfaces.srv import ListNodes
from dla_ros.ros.lifecycle_client import LifecycleClient
from vision_msgs.msg import Detection2DArray

PATIENCE_S = 30
DETECTOR = 'dla_ros.ros.detector_main'
CONTAINER = 'dla_ros.ros.container_main'


def start(module, *words):
    command = [sys.executable, '-m', module, '--ros-args', *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def test_a_second_detector_of_the_name_ends_and_the_first_goes_on(open_process, client_node):
    arrays = []
    client_node.create_subscription(Detection2DArray, 'detections', arrays.append, 100)
    first = open_process()
    second = start(DETECTOR)
    _, said = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 1
    assert (
        "the name '/dla_detector' is taken: a node of that name runs in process "
        f'{first.process.pid}; stop it (kill {first.process.pid}), or take another name'
    ) in said
    assert 'Traceback' not in said
    first.show(lambda: arrays)
    assert first.interrupt() == 0


def test_another_namespace_is_free(open_process, client_node):
    first = open_process()
    other = start(DETECTOR, '-r', '__ns:=/rear')
    lifecycle = LifecycleClient(client_node, client_node.own_executor, '/rear/dla_detector')
    lifecycle.wait(PATIENCE_S)
    assert lifecycle.state() == 'unconfigured'
    other.terminate()
    _, said = other.communicate(timeout=PATIENCE_S)
    assert other.returncode == 0, said
    assert first.interrupt() == 0


def test_the_name_of_a_process_that_was_killed_is_free(open_process):
    open_process().process.kill()
    again = open_process()
    assert again.lifecycle.state() == 'unconfigured'
    assert again.interrupt() == 0


def test_a_second_container_of_the_name_ends(client_node):
    first = start(CONTAINER)
    client = client_node.create_client(ListNodes, '/component_container/_container/list_nodes')
    assert client.wait_for_service(PATIENCE_S)
    second = start(CONTAINER)
    _, said = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 1
    assert f'runs in process {first.pid}; stop it (kill {first.pid})' in said
    first.terminate()
    _, said = first.communicate(timeout=PATIENCE_S)
    assert first.returncode == 0, said
