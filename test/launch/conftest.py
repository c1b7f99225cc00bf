"""Real launches by the real ros2 command, in a DDS domain of their own."""

import os
from pathlib import Path
import signal
import subprocess
import time

from dla_ros.emulator.build import emulate
from dla_ros.scene.card import write_shape_detector
import pytest

# before rclpy is imported anywhere: the domain is read once; above 101 its ports may be taken by
# any program (Linux hands them out)
os.environ['ROS_DOMAIN_ID'] = str(1 + os.getpid() % 100)
os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'

LAUNCH_FILE = Path(__file__).resolve().parents[2] / 'launch' / 'detector.launch.py'


class Launch:
    """A running ``ros2 launch``, in a session of its own so that Ctrl-C reaches it alone."""

    def __init__(self, log, *words):
        self._log = log
        self._process = subprocess.Popen(
            ['ros2', 'launch', *words],
            stdout=log.open('w'),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def said(self):
        return self._log.read_text()

    def wait_for(self, text, timeout_s=60, times=1):
        """Wait until something was said so often; give whether it was."""
        deadline = time.monotonic() + timeout_s
        while self.said.count(text) < times and self._process.poll() is None:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)
        return self.said.count(text) >= times

    def wait(self, timeout_s=60):
        """Wait for the end; give the exit code."""
        return self._process.wait(timeout_s)

    def stop(self):
        """Press Ctrl-C; give the exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        return self.wait(30)

    def kill(self, *, only_launch=False):
        """Leave nothing behind, whatever became of the test; or what launch has started."""
        try:
            kill = os.kill if only_launch else os.killpg
            kill(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait(10)


@pytest.fixture
def launch(tmp_path):
    """
    Give a function that starts a launch; what still runs at the end is killed.

    It starts ours by its package, as a user does, or another file.
    """
    launches = []

    def start(*words, file=None):
        what = [str(file)] if file else ['dla_ros', 'detector.launch.py']
        launches.append(Launch(tmp_path / f'launch{len(launches)}.log', *what, *words))
        return launches[-1]

    yield start
    for each in launches:
        each.kill()


@pytest.fixture(scope='session')
def folder(tmp_path_factory):
    """Give a folder with a loadable, and a robot of two detectors that run it on two cores."""
    place = tmp_path_factory.mktemp('robot')
    write_shape_detector(place / 'shapes.onnx', (64, 64), stride=8)
    emulate(place / 'shapes.onnx', place / 'shapes.dla')
    write_robot(place / 'good.yaml', 'shapes.dla')
    write_robot(place / 'bad.yaml', '/opt/models/nothing.dla')
    return place


def write_robot(path, left_engine):
    shared = 'dla_device: emulator, image_topics: [image]'
    path.write_text(
        'detectors:\n'
        f'  left: {{engine: {left_engine}, namespace: left, {shared}}}\n'
        f'  right: {{engine: shapes.dla, namespace: right, dla_core: 1, {shared}}}\n'
    )


@pytest.fixture
def launch_file():
    """Give the path of the launch file."""
    return LAUNCH_FILE
