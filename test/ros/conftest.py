"""Real rclpy in this process, in a DDS domain of its own, so that no robot nearby is heard."""

import os
import threading

import pytest

# before rclpy is imported anywhere: the domain is read once
os.environ['ROS_DOMAIN_ID'] = str(100 + os.getpid() % 100)
os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'

import rclpy  # noqa: E402
from rclpy.executors import SingleThreadedExecutor  # noqa: E402

from dla_ros.ros.executors import open_executor  # noqa: E402
from dla_ros.ros.process import spin  # noqa: E402


@pytest.fixture
def ros_context():
    """Initialise rclpy for one test."""
    rclpy.init(args=[])
    yield
    rclpy.try_shutdown()


class Spinner:
    """Spin nodes on a thread of their own, as their process would."""

    def __init__(self, name, nodes):
        self.executor = open_executor(name)
        for node in nodes:
            self.executor.add_node(node)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=spin, args=(self.executor, self._is_over.is_set))
        self._thread.start()

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
