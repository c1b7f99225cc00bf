"""Real launches in which an engine or a process fails: the robot sees again."""

from array import array
import os
import signal
import time

import pytest

pytest.importorskip('launch_ros', reason='needs a full ROS install')
pytest.importorskip('ros2launch', reason='needs a full ROS install')

import rclpy
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

PATIENCE_S = 60
RESPAWN = """
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    detector = Node(
        package='dla_ros', executable='detector_node', name='eye', output='screen', respawn=True,
        parameters=[{'engine_file_path': 'ENGINE', 'dla_device': 'emulator'}],
    )
    manager = Node(
        package='dla_ros', executable='bring_up', output='screen',
        arguments=['--recover', '3', '/eye'],
    )
    return LaunchDescription([detector, manager])
"""


class Street:
    """A camera, and who looks at the detections."""

    def __init__(self):
        self.arrays = []
        self._node = rclpy.create_node('street')
        self._camera = self._node.create_publisher(Image, 'image', 1)
        self._node.create_subscription(Detection2DArray, 'detections', self.arrays.append, 100)
        self._image = Image(height=48, width=48, encoding='mono8', step=48)
        self._image.data = array('B', bytes(48 * 48))

    def is_seen(self, more):
        """Show images until so many detections more have come; give whether they have."""
        wanted, deadline = len(self.arrays) + more, time.monotonic() + PATIENCE_S
        while len(self.arrays) < wanted:
            if time.monotonic() > deadline:
                return False
            self._camera.publish(self._image)
            rclpy.spin_once(self._node, timeout_sec=0.05)
        return True


@pytest.fixture
def street():
    rclpy.init(args=[])
    yield Street()
    rclpy.try_shutdown()


def write(folder, options):
    (folder / 'one.yaml').write_text(
        'detectors:\n'
        '  eye: {engine: shapes.dla, dla_device: emulator, image_topics: [image], '
        f'dla_emulator_options: "{options}"}}\n'
    )
    return f'robot:={folder / "one.yaml"}'


def test_an_engine_error_costs_a_moment(launch, folder, street):
    running = launch(write(folder, 'fail=submit:20'))
    assert running.wait_for("'/eye' is active"), running.said
    assert street.is_seen(more=30), running.said
    assert running.said.count("'/eye' is active again") == 1
    assert running.stop() == 0, running.said


def test_a_person_who_deactivates_is_not_fought(launch, folder, street):
    running = launch(write(folder, ''))
    assert running.wait_for("'/eye' is active"), running.said
    assert os.system('ros2 lifecycle set /eye deactivate --no-daemon --spin-time 3') == 0
    assert running.wait_for("'/eye' was deactivated on purpose; it is left alone"), running.said
    assert os.system('ros2 lifecycle set /eye activate --no-daemon --spin-time 3') == 0
    assert running.wait_for("'/eye' is active, and watched"), running.said
    assert street.is_seen(more=1)
    assert running.stop() == 0, running.said


def test_what_others_activate_is_watched(launch, folder, street):
    running = launch(write(folder, 'fail=submit:20'), 'autostart:=false')
    assert running.wait_for('watching /eye'), running.said
    for step in ('configure', 'activate'):
        assert os.system(f'ros2 lifecycle set /eye {step} --no-daemon --spin-time 3') == 0
    assert running.wait_for("'/eye' is active, and watched"), running.said
    assert street.is_seen(more=30), running.said
    assert running.stop() == 0, running.said


def test_a_process_that_is_killed_and_respawned_detects_again(launch, folder, tmp_path, street):
    path = tmp_path / 'respawn.launch.py'
    path.write_text(RESPAWN.replace('ENGINE', str(folder / 'shapes.dla')))
    running = launch(file=path)
    assert running.wait_for("'/eye' is active"), running.said
    assert street.is_seen(more=3), running.said
    started = 'detector_node-1]: process started with pid ['
    pid = running.said.partition(started)[2].partition(']')[0]
    os.kill(int(pid), signal.SIGKILL)
    assert running.wait_for("'/eye' is active again"), running.said
    assert street.is_seen(more=3), running.said
    assert running.said.count(started) == 2
    assert running.stop() == 0, running.said
