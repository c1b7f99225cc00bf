"""The detector as a process of its own, and a client that drives it."""

from array import array
import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from dla_ros.ros.lifecycle_client import LifecycleClient
from dla_ros.ros.observer import Observer
import pytest
from sensor_msgs.msg import Image

PATIENCE_S = 20  # so long may a loaded machine take; the node itself ends within 2 s


class NodeProcess:
    """A detector node in a process of its own, its output in a file."""

    def __init__(self, log: Path, parameters, client_node, program):
        self.log = log
        self._client_node = client_node
        words = [word for pair in parameters.items() for word in ('-p', '{}:={}'.format(*pair))]
        command = [sys.executable, *program, '--ros-args', *words]
        with log.open('w') as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=file, env=os.environ)
        self.lifecycle = LifecycleClient(client_node, client_node.own_executor, '/dla_detector')
        self.lifecycle.wait(PATIENCE_S)

    def interrupt(self, number=signal.SIGINT, times=1):
        for _ in range(times):
            self.process.send_signal(number)
            time.sleep(0.02)
        return self.process.wait(PATIENCE_S)

    def wait_for_words(self, words):
        deadline = time.monotonic() + PATIENCE_S
        while words not in self.log.read_text():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def wait_for_values(self, wanted, act):
        """Act again and again, until the newest diagnostics hold these figures."""
        observer = Observer(self._client_node, '/dla_detector')
        deadline = time.monotonic() + PATIENCE_S
        while not wanted.items() <= observer.values.items():
            assert time.monotonic() < deadline, observer.values
            act()
            self._client_node.own_executor.spin_once(timeout_sec=0.05)

    def show(self, is_over):
        """Configure, activate, and publish images until it is over."""
        assert self.lifecycle.change('configure')
        assert self.lifecycle.change('activate')
        camera = self._client_node.create_publisher(Image, 'image', 1)
        data = array('B', bytes(48 * 48))
        image = Image(height=48, width=48, encoding='mono8', step=48, data=data)
        deadline = time.monotonic() + PATIENCE_S
        while not is_over():
            assert time.monotonic() < deadline, self.log.read_text()
            camera.publish(image)
            self._client_node.own_executor.spin_once(timeout_sec=0.05)


@pytest.fixture
def open_process(client_node, shapes, tmp_path):
    opened = []

    def make(program=('-m', 'dla_ros.ros.detector_main'), **parameters):
        parameters = {
            'engine_file_path': shapes / 'shapes.dla', 'dla_device': 'emulator', **parameters,
        }  # fmt: skip
        log = tmp_path / f'{len(opened)}.log'
        opened.append(NodeProcess(log, parameters, client_node, program))
        return opened[-1]

    yield make
    for node in opened:
        node.process.kill()
        node.process.wait()
