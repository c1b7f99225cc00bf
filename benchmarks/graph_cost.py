"""
What it costs to ask the graph who publishes a topic: microseconds of each call.

Run: .venv/bin/python benchmarks/graph_cost.py [--publishers 2]
"""

import argparse
import os
import time

os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')

from machine import describe
import rclpy
from sensor_msgs.msg import Image

_ASK = 2000


def main() -> None:
    """Open publishers of one topic, wait until they are found, and ask for them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--publishers', type=int, default=2)
    options = parser.parse_args()
    rclpy.init()
    node = rclpy.create_node('asking')
    cameras = [rclpy.create_node(f'camera_{i}') for i in range(options.publishers)]
    held = [camera.create_publisher(Image, '/image', 1) for camera in cameras]
    while node.count_publishers('/image') < len(held):
        time.sleep(0.01)
    print(describe())
    for name, ask in (
        ('publishers of a topic', lambda: node.get_publishers_info_by_topic('/image')),
        ('names and types of all topics', node.get_topic_names_and_types),
    ):
        start = time.perf_counter()
        for _ in range(_ASK):
            ask()
        print(f'{name}: {(time.perf_counter() - start) / _ASK * 1e6:.0f} µs')
    rclpy.shutdown()


if __name__ == '__main__':
    main()
