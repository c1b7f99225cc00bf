"""
How many of 60 images arrive from a camera of another user, or with another /dev/shm.

Camera and viewer are two processes of one host in a network of their own, where only loopback is.
They always find each other; whether images arrive depends on what both may read and write in
/dev/shm. Needs root, util-linux and iproute2. Run: .venv/bin/python benchmarks/between_users.py
"""

import argparse
from array import array
import os
import random
import subprocess
import sys
import tempfile
import time

from dla_ros.transport import transport_environment
from machine import describe
import rclpy
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from sensor_msgs.msg import Image

COUNT, HZ = 60, 20
HEIGHT, WIDTH = 1080, 1920
PATIENCE_S = 15
# the capability lets it read a Python that lies in root's home, and write nothing
USER = ('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups',
        '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search')  # fmt: skip
OWN_MEMORY = ('unshare', '-m', 'sh', '-c',
              'mount -t tmpfs -o size=512m tmpfs /dev/shm; exec "$@"', 'sh')  # fmt: skip
VIEWERS = {'same user': (), 'another user': USER, 'own /dev/shm': OWN_MEMORY}
SETTINGS = {
    'stock': {},
    'profile': transport_environment(os.environ.get('ROS_DISTRO', '')),
    'UDPv4': {'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4'},
    'UDPv4, discovery LOCALHOST': {
        'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4', 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
    },
}  # fmt: skip
QOS = {'best effort': qos_profile_sensor_data, 'reliable': QoSProfile(depth=10)}
LOOPBACK = ('ip link set lo up; ip link set lo multicast on; ip route add 224.0.0.0/4 dev lo; '
            'exec "$@"')  # fmt: skip


def main():
    """Try every viewer with every setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--role', nargs=2, help=argparse.SUPPRESS)
    parser.add_argument('--is-alone', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        return ROLES[options.role[0]](QOS[options.role[1]])
    if not options.is_alone:
        again = (sys.executable, __file__, '--is-alone')
        os.execvp('unshare', ('unshare', '-n', 'sh', '-c', LOOPBACK, 'sh', *again))
    print(describe())
    for viewer in VIEWERS:
        for setting in SETTINGS:
            arrived = (f'{qos} {try_one(viewer, setting, qos)}' for qos in QOS)
            print(f'{viewer:<14}{setting:<28}{", ".join(arrived)} of {COUNT}', flush=True)
    return 0


def try_one(viewer, setting, qos):
    """Give the images that arrived."""
    command = (sys.executable, __file__, '--role')
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        environment = {
            **os.environ, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET', **SETTINGS[setting],
            'ROS_DOMAIN_ID': str(random.randint(1, 100)), 'HOME': folder, 'ROS_LOG_DIR': folder,
        }  # fmt: skip
        watching = subprocess.Popen(
            (*VIEWERS[viewer], *command, 'viewer', qos), env=environment, text=True,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        subprocess.run((*command, 'camera', qos), env=environment, check=True)
        return watching.communicate(timeout=60)[0].strip()


def camera(qos):
    """Publish to whoever is found."""
    rclpy.init()
    node = rclpy.create_node('camera')
    publisher = node.create_publisher(Image, 'image', qos)
    image = Image(height=HEIGHT, width=WIDTH, encoding='rgb8', step=3 * WIDTH)
    image.data = array('B', bytes(HEIGHT * 3 * WIDTH))
    deadline = time.monotonic() + PATIENCE_S
    while not publisher.get_subscription_count():
        assert time.monotonic() < deadline, 'the viewer was not found'
        time.sleep(0.05)
    for _ in range(COUNT):
        publisher.publish(image)
        time.sleep(1 / HZ)
    node.destroy_node()
    rclpy.shutdown()


def viewer(qos):
    """Print how many images came, once the camera has come and gone."""
    rclpy.init()
    node, seen = rclpy.create_node('viewer'), []
    node.create_subscription(Image, 'image', seen.append, qos)
    deadline, was_there = time.monotonic() + 2 * PATIENCE_S, False
    while time.monotonic() < deadline:
        rclpy.spin_once(node, timeout_sec=0.1)
        is_there = bool(node.count_publishers('image'))
        if was_there and not is_there:
            break
        was_there = was_there or is_there
    print(len(seen))
    node.destroy_node()
    rclpy.shutdown()


ROLES = {'camera': camera, 'viewer': viewer}


if __name__ == '__main__':
    sys.exit(main())
