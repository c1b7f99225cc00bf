"""
What a debug image costs: the message by cv_bridge and by the node itself.

    python3 benchmarks/debug_image.py

Needs a full ROS install (cv_bridge).
"""

from statistics import median
import sys
from time import process_time

from dla_ros.ros.messages import to_image
from machine import describe
import numpy as np
from std_msgs.msg import Header

ROUNDS = 60
SIZES = {'VGA': (480, 640), '1080p': (1080, 1920), '4K': (2160, 3840)}


def main() -> int:
    """Print the median CPU milliseconds of both ways, taken in turn."""
    try:
        from cv_bridge import CvBridge
    except ImportError as err:
        print(f'{err}; sudo apt install ros-$ROS_DISTRO-cv-bridge', file=sys.stderr)
        return 1
    bridge, header = CvBridge(), Header(frame_id='camera')
    ways = {
        'cv_bridge': lambda bgr: bridge.cv2_to_imgmsg(bgr, 'bgr8', header),
        'dla_ros': lambda bgr: to_image(bgr, header),
    }
    print(describe())
    for name, size in SIZES.items():
        bgr = np.random.default_rng(0).integers(0, 256, (*size, 3), np.uint8)
        first, second = (way(bgr) for way in ways.values())
        costs = {key: median(times) for key, times in measure(ways, bgr).items()}
        shown = ', '.join(f'{key} {cost:.2f} ms' for key, cost in costs.items())
        ratio = costs['cv_bridge'] / costs['dla_ros']
        print(f'{name}: {shown}, ratio {ratio:.1f}, messages equal: {first == second}')
    return 0


def measure(ways, bgr):
    """Give the CPU milliseconds of each round, by way."""
    times = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = process_time()
            way(bgr)
            times[name].append((process_time() - start) * 1e3)
    return times


if __name__ == '__main__':
    sys.exit(main())
