"""
Compare images handed over within a process with images sent over DDS within it.

A camera node and a listener, each on a thread of its own as in the container, at 30 Hz. The
listener is a callback that does nothing, or a whole detector whose network costs nothing. Latency
is from just before publish() to the callback (for the detector: to its result). CPU is the whole
process; 'none' makes the images and publishes nothing: the floor. The Fast DDS profile of this
package is in use, and malloc is tuned.
Run:  .venv/bin/python benchmarks/image_channel.py [--seconds 5]
"""

import argparse
from array import array
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import time

from container_threads import null_engine
from dla_ros.transport import transport_environment
from machine import describe
import numpy as np
from spinning import Spinning

HZ = 30
SIZES = {'1080p': (1080, 1920), '4K': (2160, 3840)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--seconds', type=float, default=5.0)
    parser.add_argument('--repeat', type=int, default=3, help='runs; medians are printed')
    parser.add_argument('--run', nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        way, size, listener, engine, frames = options.run
        run(way, SIZES[size], listener, engine, int(frames))
        return
    print(describe())
    print('size  | listener | way  | received | latency p50 / p99 ms | CPU ms/image | CPU ratio')
    with tempfile.TemporaryDirectory() as folder:
        engine = null_engine(Path(folder))
        for size in SIZES:
            for listener in ('callback', 'detector'):
                compare(size, listener, engine, options)


def compare(size, listener, engine, options):
    """Print one line for each way."""
    base = 0.0
    for way in ('DDS', 'hand', 'none'):
        command = [way, size, listener, str(engine), str(int(options.seconds * HZ))]
        rows = np.array([child(command) for _ in range(options.repeat)])
        received, p50, p99, cpu = np.median(rows, axis=0)
        base = base or cpu
        if way == 'none':
            print(f'{size:5} | {listener:8} | none | {"":8} | {"":20} | {cpu:12.2f} |', flush=True)
            continue
        print(
            f'{size:5} | {listener:8} | {way:4} | {received:8.1%} | {p50:13.2f} / {p99:.2f} | '
            f'{cpu:12.2f} | {base / cpu:8.1f}',
            flush=True,
        )


def child(arguments):
    """Measure in a fresh process; give the share received, p50 and p99 latency, CPU per image."""
    environment = {
        **os.environ, 'ROS_DOMAIN_ID': '75', 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        **transport_environment(os.environ.get('ROS_DISTRO', 'kilted')),
    }  # fmt: skip
    command = [sys.executable, __file__, '--run', *arguments]
    said = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    return [float(word) for word in said.stdout.split()]


def run(way, height_width, listener, engine, frames):
    """Publish frames to the listener; print the figures."""
    from dla_ros.malloc import tune_malloc
    from dla_ros.ros.executors import open_executor
    from dla_ros.ros.handover.publisher import HandoverPublisher
    import rclpy
    from rclpy.executors import SingleThreadedExecutor
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image

    tune_malloc()
    rclpy.init()
    latencies, camera = [], rclpy.create_node('camera')

    def note(message):
        sent = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        latencies.append((time.monotonic_ns() - sent) / 1e6)

    node = detector(engine, note) if listener == 'detector' else callback_node(note)
    spinning = Spinning(open_executor('auto'), [node])
    if way == 'hand':
        publisher = HandoverPublisher(camera, Image, 'image', qos_profile_sensor_data)
    else:
        publisher = camera.create_publisher(Image, 'image', qos_profile_sensor_data)
    own = SingleThreadedExecutor()
    own.add_node(camera)
    while not publisher.get_subscription_count():
        own.spin_once(0.1)
    time.sleep(0.5)
    start, due = time.process_time(), time.monotonic()
    for _ in range(frames):
        time.sleep(max(0.0, due - time.monotonic()))
        image = image_now(height_width)
        if way != 'none':
            publisher.publish(image)
        due += 1 / HZ
    time.sleep(0.5)
    cpu_ms = (time.process_time() - start) / frames * 1e3
    p50, p99 = np.percentile(latencies or [0.0], (50, 99))
    print(len(latencies) / frames, p50, p99, cpu_ms)
    spinning.end()
    own.remove_node(camera)
    camera.destroy_node()
    rclpy.shutdown()


def image_now(height_width):
    """Make a new message, as a camera driver does for each frame; stamp it."""
    from sensor_msgs.msg import Image

    height, width = height_width
    image = Image(height=height, width=width, encoding='rgb8', step=width * 3)
    image._data = array('B', bytes(height * width * 3))
    image.header.stamp.sec, image.header.stamp.nanosec = divmod(time.monotonic_ns(), 10**9)
    return image


def callback_node(note):
    """Make a node whose callback notes the message."""
    from dla_ros.ros.handover.subscription import HandoverSubscription
    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image

    node = rclpy.create_node('listener')
    HandoverSubscription(node, Image, 'image', note, qos_profile_sensor_data)
    return node


def detector(engine, note):
    """Make an active detector that notes each result."""
    from dla_ros.ros.detector_node import DetectorNode
    from dla_ros.ros.lifecycle import SUCCESS
    from rclpy.parameter import Parameter

    class Noting(DetectorNode):
        def _on_result(self, result):
            super()._on_result(result)
            note(result.frame.token)

    values = {
        'engine_file_path': engine, 'dla_device': 'emulator',
        'dla_emulator_options': 'network=none',
    }  # fmt: skip
    node = Noting(parameter_overrides=[Parameter(name, value=v) for name, v in values.items()])
    assert node.trigger_configure() is SUCCESS
    assert node.trigger_activate() is SUCCESS
    return node


if __name__ == '__main__':
    main()
