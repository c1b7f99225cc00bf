"""
What receiving alone costs: a best-effort rgb8 camera at 30 Hz and an empty callback.

By executor, as ``sensor_msgs/Image`` ('copied') or as the node takes images ('in place'). Two
processes, this package's Fast DDS profile, malloc tuned. CPU is the receiver's. Run:
.venv/bin/python benchmarks/receive_cost.py [--frames 120]
"""

import argparse
from array import array
import os
import subprocess
import sys
import time

from dla_ros.transport import transport_environment
from machine import describe

SIZES = {'1080p': (1080, 1920), '4K': (2160, 3840)}
WAYS = (
    ('events', 'in place'), ('events', 'copied'), ('single', 'in place'), ('single', 'copied'),
    ('multi', 'copied'),
)  # fmt: skip
HZ = 30


def main():
    """Measure each way at each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--frames', type=int, default=120)
    parser.add_argument('--role', nargs='+', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        return ROLES[options.role[0]](*options.role[1:], options.frames)
    print(describe())
    for size in SIZES:
        for way in WAYS:
            print(f'{size:<6}{" ".join(way):<17}{measure(size, way, options.frames)}', flush=True)
    return 0


def measure(size, way, frames):
    """Run a receiver and a camera; give what the receiver printed."""
    environment = {**os.environ, **transport_environment(os.environ.get('ROS_DISTRO', ''))}
    environment['ROS_DOMAIN_ID'] = '76'
    command = [sys.executable, __file__, '--frames', str(frames), '--role']
    receiver = subprocess.Popen(
        [*command, 'receive', *way], env=environment, stdout=subprocess.PIPE, text=True
    )
    subprocess.run([*command, 'camera', size], env=environment, check=True)
    return receiver.communicate(timeout=30)[0].strip()


def camera(size, frames):
    """Publish random images once a receiver is there."""
    import numpy as np
    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image

    rclpy.init()
    node = rclpy.create_node('camera')
    publisher = node.create_publisher(Image, 'image', qos_profile_sensor_data)
    height, width = SIZES[size]
    image = Image(height=height, width=width, encoding='rgb8', step=width * 3)
    pixels = np.random.default_rng(0).integers(0, 256, height * width * 3, np.uint8)
    image.data = array('B', pixels.tobytes())
    while not publisher.get_subscription_count():
        time.sleep(0.05)
    due = time.monotonic() + 0.5
    for _ in range(frames):
        time.sleep(max(0.0, due - time.monotonic()))
        publisher.publish(image)
        due += 1 / HZ
    time.sleep(0.5)
    return 0


def receive(name, how, frames):
    """Count images until none has come for two seconds, and print the CPU of each."""
    from dla_ros.malloc import tune_malloc
    from dla_ros.ros.executors import open_executor
    from dla_ros.ros.in_place.image_type import image_type
    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image

    tune_malloc()
    rclpy.init()
    node, seen = rclpy.create_node('receiver'), []
    kind = image_type() if how == 'in place' else Image
    node.create_subscription(
        kind, 'image', lambda _: seen.append(time.process_time()), qos_profile_sensor_data
    )
    executor = open_executor(name)
    executor.add_node(node)
    last = time.monotonic() + 8
    while time.monotonic() < last:
        count = len(seen)
        executor.spin_once(timeout_sec=0.1)
        if len(seen) > count:
            last = time.monotonic() + 2
    each = (seen[-1] - seen[0]) / max(1, len(seen) - 1) * 1e3 if seen else float('nan')
    print(f'received {len(seen)}/{frames}, CPU {each:.2f} ms/image')
    sys.stdout.flush()
    node.destroy_node()
    executor.shutdown(timeout_sec=1)
    rclpy.shutdown()  # else DDS's shared memory stays behind
    os._exit(0)  # MultiThreadedExecutor's threads may wait for ever


ROLES = {'camera': camera, 'receive': receive}

if __name__ == '__main__':
    sys.exit(main())
