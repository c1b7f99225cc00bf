"""Detectors that come and go while images flow leave nothing behind."""

from array import array
import os
import signal
import time

from composition_interfaces.srv import UnloadNode
import psutil
import pytest
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

# DLA_ROS_CHURN_CYCLES=200 for the long run; each takes a quarter of a second
CYCLES = int(os.environ.get('DLA_ROS_CHURN_CYCLES', '30'))
WARM_UP = 10
# rclpy and Fast DDS keep about 10 kB of each node that they have destroyed (docs/composition.md)
MOST_MB_A_CYCLE = 0.1
MOST_MB = 5.0  # what any process gains or loses by chance
HEIGHT, WIDTH = 480, 640  # in mono8 it fits Fast DDS's default segment of 512 KiB


class Held:
    """What a process holds at one moment."""

    def __init__(self, process):
        self.threads = process.num_threads()
        self.files = process.num_fds()
        self.rss_mb = process.memory_info().rss / 1e6

    def __repr__(self):
        return f'{self.threads} threads, {self.files} files, {self.rss_mb:.1f} MB'


def settled(process, before):
    """Wait until threads on their way out are gone."""
    for _ in range(100):
        now = Held(process)
        if now.threads <= before.threads and now.files <= before.files:
            break
        time.sleep(0.05)


def give_back(container):
    """Let the container collect garbage and give free heap back, and wait until it has."""
    told = container.log.read_text().count('gave back')
    container.process.send_signal(signal.SIGUSR1)
    for _ in range(200):
        if container.log.read_text().count('gave back') > told:
            return
        time.sleep(0.05)
    raise AssertionError('the container did not answer SIGUSR1')


@pytest.mark.timeout(60 + 3 * CYCLES)
def test_loading_and_unloading_leaves_everything_where_it_was(
    open_process, program, shapes, client_node, wait_until
):
    container = open_process('-c', program)
    process = psutil.Process(container.process.pid)
    arrays = []
    client_node.create_subscription(Detection2DArray, 'detections', arrays.append, 10)
    camera = client_node.create_publisher(Image, 'image', 1)
    data = array('B', bytes(HEIGHT * WIDTH))
    image = Image(height=HEIGHT, width=WIDTH, encoding='mono8', step=WIDTH, data=data)
    unload = client_node.create_client(UnloadNode, '/component_container/_container/unload_node')

    def cycle(number):
        seen = len(arrays)
        loaded = container.load_active_detector(
            'detector', shapes / 'shapes.dla', dla_core=number % 2
        )
        assert wait_until(lambda: camera.publish(image) or len(arrays) > seen + 1)
        future = unload.call_async(UnloadNode.Request(unique_id=loaded))
        assert wait_until(future.done)
        assert future.result().success, future.result().error_message

    for number in range(WARM_UP):
        cycle(number)
    give_back(container)
    before = Held(process)
    for number in range(CYCLES):
        cycle(number)
    settled(process, before)
    give_back(container)
    after = Held(process)
    assert after.threads <= before.threads, (before, after)
    assert after.files <= before.files, (before, after)
    grown = after.rss_mb - before.rss_mb
    assert grown < MOST_MB + MOST_MB_A_CYCLE * CYCLES, (before, after)
    print(f'{CYCLES} cycles: {before}; then {after}')
    assert container.interrupt() == 0
    assert 'left: 0 0 ()' in container.log.read_text()
