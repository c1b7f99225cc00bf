"""Real rclpy in this process, in a DDS domain of its own, so that no robot nearby is heard."""

from array import array
import os
from pathlib import Path
import threading
import time

import pytest

# before rclpy is imported anywhere: the domain is read once; above 101 its ports may be taken by
# any program (Linux hands them out)
os.environ['ROS_DOMAIN_ID'] = str(1 + os.getpid() % 100)
os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'

from builtin_interfaces.msg import Time
from dla_ros.emulator.build import emulate
from dla_ros.ros.detector_node import DetectorNode
from dla_ros.ros.executors import open_executor
from dla_ros.ros.lifecycle_client import LifecycleClient
from dla_ros.ros.process import spin
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.encode import encode
from dla_ros.scene.scene import Scene
from lifecycle_msgs.srv import ChangeState
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

CELL = 8
NETWORK = (232, 320)
STDERR = 2


@pytest.fixture
def ros_context():
    """Initialise rclpy for one test."""
    rclpy.init(args=[])
    yield
    rclpy.try_shutdown()


class Log:
    """
    What the process has written on stderr since the test began.

    It may be read again and again while nodes write on threads of their own. By
    ``capfd.readouterr`` it may not: that empties the file after it has read it, and what is
    written in between is gone.
    """

    @property
    def text(self):
        return os.pread(STDERR, os.fstat(STDERR).st_size, 0).decode(errors='replace')

    def tells(self, words, timeout_s=10.0):
        """Wait until ``words`` were written, and tell whether they were."""
        deadline = time.monotonic() + timeout_s
        while words not in self.text:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True


@pytest.fixture
def log(capfd):
    """Give what nodes and tracebacks write on stderr, which capfd has led into a file."""
    return Log()


class Spinner:
    """Spin nodes on a thread of their own, as their process would."""

    def __init__(self, name, nodes):
        self.executor = open_executor(name)
        for node in nodes:
            self.executor.add_node(node)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=spin, args=(self.executor, self._is_over.is_set))
        self._thread.start()

    @property
    def is_spinning(self):
        return self._thread.is_alive()

    def close(self):
        """Stop spinning."""
        self._is_over.set()
        self._thread.join(5)
        assert not self._thread.is_alive()


@pytest.fixture
def spinning(ros_context):
    """Give a function that spins nodes in the background until the test ends."""
    spinners = []

    def start(*nodes, executor='auto'):
        spinners.append(Spinner(executor, nodes))
        return spinners[-1]

    yield start
    for spinner in spinners:
        spinner.close()


@pytest.fixture
def client_node(ros_context):
    """Give a node with an executor of its own, for the test to ask questions with."""
    node = rclpy.create_node('client')
    node.own_executor = SingleThreadedExecutor()
    node.own_executor.add_node(node)
    yield node
    node.own_executor.shutdown()
    node.destroy_node()


@pytest.fixture(scope='session')
def shapes(tmp_path_factory):
    """Give a folder with the shape detector as shapes.onnx and as shapes.dla, records beside."""
    folder = tmp_path_factory.mktemp('shapes')
    write_shape_detector(folder / 'shapes.onnx', NETWORK, stride=CELL)
    emulate(folder / 'shapes.onnx', folder / 'shapes.dla')
    return folder


class Rig:
    """A detector node spun in the background, a camera in front of it, a listener behind."""

    def __init__(self, node, client, scene):
        self.node = node
        self.scene = scene
        self.arrays = []
        self._executor = client.own_executor
        self._client = client
        self.lifecycle = LifecycleClient(client, client.own_executor, node.get_name())
        self.lifecycle.wait(10)
        self._cameras = {}
        self.listen('detections')

    def listen(self, topic):
        self._client.create_subscription(Detection2DArray, topic, self.arrays.append, 100)

    def activate(self):
        assert self.lifecycle.change('configure')
        assert self.lifecycle.change('activate')

    def change_twice(self, transition):
        """Ask for the same transition from two callers at once; give both answers."""
        request = ChangeState.Request()
        request.transition.label = transition
        clients = [
            self._client.create_client(ChangeState, f'{self.node.get_name()}/change_state')
            for _ in range(2)
        ]
        assert all(client.wait_for_service(10) for client in clients)
        pending = [client.call_async(request) for client in clients]
        assert self.spin_until(lambda: all(each.done() for each in pending))
        return [each.result().success for each in pending]

    def camera(self, topic='image', kind=Image, qos=10):
        """Give a publisher that the node has found."""
        if topic not in self._cameras:
            self._cameras[topic] = self._client.create_publisher(kind, topic, qos)
        publisher = self._cameras[topic]
        assert self.spin_until(lambda: publisher.get_subscription_count() > 0)
        return publisher

    def camera_not_heard(self, qos):
        """Give a publisher that the node will not find, for its QoS."""
        return self._client.create_publisher(Image, 'image', qos)

    def remove_camera(self, topic='image'):
        """Let a camera go, as a driver that is stopped does."""
        self._client.destroy_publisher(self._cameras.pop(topic))
        assert self.spin_until(lambda: self.node.count_publishers(topic) == 0)

    def image(self, number=0, encoding='rgb8', **changes):
        """Give frame ``number`` of the scene as a message."""
        picture, _ = self.scene.frame(number)
        data, step = encode(picture, encoding)
        message = Image(height=picture.shape[0], width=picture.shape[1], encoding=encoding)
        message.step, message.data = step, array('B', data)
        message.header.frame_id = 'cam_left_optical'
        message.header.stamp = Time(sec=12, nanosec=345 + number)
        for name, value in changes.items():
            setattr(message, name, value)
        return message

    def show(self, message, topic='image'):
        """Publish one message and wait for what comes of it; give the newest array."""
        before = len(self.arrays)
        self.camera(topic).publish(message)
        assert self.spin_until(lambda: len(self.arrays) > before), 'no detections came'
        return self.arrays[-1]

    def spin_until(self, is_over, timeout_s=10.0):
        deadline = time.monotonic() + timeout_s
        while not is_over():
            if time.monotonic() > deadline:
                return False
            self._executor.spin_once(timeout_sec=0.05)
        return True

    def client_has_no_image_subscriber(self):
        return self._client.count_subscribers('image') == 0

    @property
    def counts(self):
        return self.node.counts.total


@pytest.fixture
def open_rig(spinning, client_node, shapes):
    """Give a function that opens a rig; parameters are those of the node."""
    nodes = []
    scene = Scene.open(7, (NETWORK[0] - 2 * CELL, NETWORK[1]), cell=CELL)

    def make(executor='auto', name='dla_detector', remap=None, **values):
        values = {'engine_file_path': shapes / 'shapes.dla', 'dla_device': 'emulator', **values}
        overrides = [Parameter(key, value=_plain(value)) for key, value in values.items()]
        rules = [word for pair in (remap or {}).items() for word in ('-r', '{}:={}'.format(*pair))]
        arguments = ['--ros-args', *rules] if rules else None
        node = DetectorNode(name, parameter_overrides=overrides, cli_args=arguments)
        nodes.append(node)
        spinning(node, executor=executor)
        return Rig(node, client_node, scene)

    yield make
    for node in nodes:
        assert node.end(10)
        node.destroy_node()


def _plain(value):
    return str(value) if isinstance(value, Path) else value
