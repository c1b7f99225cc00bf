"""A detector's process dies and is started anew by whoever watches processes: it detects again."""

from array import array
from functools import partial
import os
import signal
import subprocess
import sys
import threading
import time

from dla_ros.robots.fallback_engine import FallbackEngine
import pytest
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

PATIENCE_S = 60
STUCK = {'dla_emulator_options': 'stuck=submit:4', 'task_timeout_ms': 100}


class Respawn:
    """Start a process again whenever it has ended, as ``respawn=True`` of a launch file does."""

    def __init__(self, command, log):
        self._command = command
        self._log = log
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.codes = []
        self._start()
        self._thread.start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)

    def close(self):
        self._is_over.set()
        self.process.kill()
        self._thread.join(PATIENCE_S)

    def _start(self):
        with self._log.open('a') as file:
            self.process = subprocess.Popen(
                self._command, stdout=file, stderr=file, env=os.environ
            )

    def _run(self):
        while True:
            self.codes.append(self.process.wait())
            if self._is_over.is_set():
                return
            self._start()


@pytest.fixture
def respawn(shapes, tmp_path):
    """Give a function that starts a detector again and again; its parameters are keywords."""
    opened = []

    def start(program=('-m', 'dla_ros.ros.detector_main'), **values):
        values = {
            'engine_file_path': shapes / 'shapes.dla', 'dla_device': 'emulator', **values,
        }  # fmt: skip
        words = [word for pair in values.items() for word in ('-p', '{}:={}'.format(*pair))]
        command = [sys.executable, *program, '--ros-args', *words]
        opened.append(Respawn(command, tmp_path / 'detector.log'))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


class Street:
    """A camera, and who looks at the detections."""

    def __init__(self, node):
        self.arrays = []
        self._node = node
        self._camera = node.create_publisher(Image, 'image', 1)
        node.create_subscription(Detection2DArray, 'detections', self.arrays.append, 100)
        self._image = Image(height=48, width=48, encoding='mono8', step=48)
        self._image.data = array('B', bytes(48 * 48))

    def is_seen(self, more=5):
        """Show images until so many detections more have come; give whether they have."""
        wanted = len(self.arrays) + more
        return self.shows_until(lambda: len(self.arrays) >= wanted)

    def shows_until(self, is_over):
        deadline = time.monotonic() + PATIENCE_S
        while not is_over():
            if time.monotonic() > deadline:
                return False
            self._camera.publish(self._image)
            self._node.own_executor.spin_once(timeout_sec=0.05)
        return True


@pytest.fixture
def street(client_node):
    return Street(client_node)


def test_a_process_that_is_killed_and_started_anew_detects_again(watch, respawn, street):
    detector = respawn()
    keeper = watch('/dla_detector')
    assert street.is_seen(), keeper.text
    for _ in range(2):
        detector.kill()
        assert keeper.tells("'/dla_detector' was started anew; it is brought up again")
        assert street.is_seen(), keeper.text
    assert detector.codes == [-signal.SIGKILL] * 2
    assert keeper.text.count("'/dla_detector' is active again") == 2
    assert keeper.stop() == 0


def has_told(keeper, times):
    return keeper.text.count("'/dla_detector' was started anew; it is brought up") >= times


@pytest.mark.parametrize('when_lost', ['exit', 'restart'])
def test_a_process_that_leaves_a_stuck_task_behind_detects_again(
    watch, respawn, street, when_lost
):
    detector = respawn(**STUCK, when_lost=when_lost)
    keeper = watch('/dla_detector', recover=5)
    for times in (1, 2):
        assert street.is_seen(more=2), keeper.text
        assert street.shows_until(partial(has_told, keeper, times)), keeper.text
    assert all(code == 1 for code in detector.codes)
    assert (detector.codes == []) == (when_lost == 'restart')


def test_an_engine_error_costs_a_moment_and_not_the_robot(watch, respawn, street):
    detector = respawn(dla_emulator_options='fail=submit:20')
    keeper = watch('/dla_detector')
    assert street.is_seen(more=30), keeper.text
    assert 'cuDLA submit_task' in keeper.text, keeper.text
    assert keeper.text.count("'/dla_detector' is active again") == 1
    assert detector.codes == [], 'the process has gone on'


def test_a_process_that_is_started_anew_may_fall_back_again(watch, respawn, street, shapes):
    detector = respawn(dla_emulator_options='fail=submit:3')
    other = FallbackEngine({'engine_file_path': str(shapes / 'shapes.onnx')}, 1000.0)
    words = ('--fallback', '/dla_detector', other.to_json())
    keeper = watch('/dla_detector', *words, recover=1)

    def has_fallen_back(times):
        return keeper.text.count("'/dla_detector' falls back on") >= times

    assert street.shows_until(partial(has_fallen_back, 1)), keeper.text
    assert street.is_seen(), keeper.text
    detector.kill()
    assert street.shows_until(partial(has_fallen_back, 2)), keeper.text
    assert street.is_seen(), keeper.text
    assert 'stays down' not in keeper.text
