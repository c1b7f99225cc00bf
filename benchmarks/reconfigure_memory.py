"""
Memory of one detector process that is configured, shown images and cleaned up, again and again.

The image is rgb8 of 1080p, the network NanoDet, behind the emulated DLA or in ONNX Runtime. RSS is
read when a cycle is over. MALLOC_ARENA_MAX of the environment goes to the node.
Run:  .venv/bin/python benchmarks/reconfigure_memory.py [--engine dla] [--cycles 100] [--images 20]
"""

import argparse
from array import array
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import time

from dla_ros.emulator.build import emulate
from dla_ros.transport import transport_environment
from machine import describe
import psutil

HOME = Path(__file__).resolve().parents[1]
HEIGHT, WIDTH = 1080, 1920
TOLD = (1, 2, 5, 10, 20, 40, 60, 80, 100, 150, 200)


def main():
    """Run the cycles and print a line for some of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--engine', choices=('dla', 'onnx'), default='dla')
    parser.add_argument('--cycles', type=int, default=100)
    parser.add_argument('--images', type=int, default=20, help='of each cycle')
    parser.add_argument('--set', nargs='*', default=[], metavar='NAME:=VALUE')
    options = parser.parse_args()
    os.environ.update(transport_environment(os.environ.get('ROS_DISTRO', '')))
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    print(describe(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        node = start(engine(options.engine, Path(folder)), options.set)
        try:
            cycle_on(psutil.Process(node.pid), options)
        finally:
            node.send_signal(signal.SIGINT)
            node.wait(10)
    return 0


def engine(kind, folder):
    """Give the network's file: the ONNX model, or a loadable made of it."""
    model = HOME / 'models' / 'nanodet_g_416.onnx'
    if kind == 'dla':
        emulate(model, folder / 'nanodet.dla')
        return folder / 'nanodet.dla'
    return model


def start(path, more):
    """Start the detector as a process of its own."""
    words = [f'engine_file_path:={path}', 'dla_device:=emulator', *more]
    parameters = [word for each in words for word in ('-p', each)]
    command = [sys.executable, '-m', 'dla_ros.ros.detector_main', '--ros-args', *parameters]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cycle_on(process, options):
    """Drive the detector from a node of our own, and tell its memory."""
    from dla_ros.ros.lifecycle_client import LifecycleClient
    import rclpy
    from rclpy.executors import SingleThreadedExecutor
    from sensor_msgs.msg import Image
    from vision_msgs.msg import Detection2DArray

    rclpy.init(args=[])
    node = rclpy.create_node('memory')
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    detector = LifecycleClient(node, executor, '/dla_detector')
    detector.wait(20)
    seen = []
    node.create_subscription(Detection2DArray, 'detections', seen.append, 10)
    camera = node.create_publisher(Image, 'image', 1)
    data = array('B', bytes(HEIGHT * WIDTH * 3))
    image = Image(height=HEIGHT, width=WIDTH, encoding='rgb8', step=WIDTH * 3, data=data)
    for number in range(1, options.cycles + 1):
        assert detector.change('configure')
        assert detector.change('activate')
        seen.clear()
        show(executor, lambda: camera.publish(image), seen, options.images)
        assert detector.change('deactivate')
        assert detector.change('cleanup')
        if number in TOLD or number == options.cycles:
            held = process.memory_info().rss / 2**20
            print(
                f'cycle {number:3}: {held:4.0f} MiB, {process.num_threads()} threads', flush=True
            )
    node.destroy_node()
    rclpy.shutdown()


def show(executor, publish, seen, images):
    """Publish until as many images were answered."""
    due = 0.0
    while len(seen) < images:
        if time.monotonic() >= due:
            publish()
            due = time.monotonic() + 0.05
        executor.spin_once(timeout_sec=0.01)


if __name__ == '__main__':
    sys.exit(main())
