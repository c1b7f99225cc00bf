"""Large best-effort images between two processes, which the stock settings hardly let through."""

import os
import signal
import subprocess
import sys

from dla_ros.shared_memory import free_memory
from dla_ros.transport import choose

CAMERA = """
import rclpy, time
from array import array
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image
with_data = Image(height=1080, width=1920, encoding='rgb8', step=5760)
with_data.data = array('B', bytes(1080 * 5760))
rclpy.init()
camera = rclpy.create_node('camera').create_publisher(Image, 'large', qos_profile_sensor_data)
while rclpy.ok():
    camera.publish(with_data)
    time.sleep(1 / 30)
"""
VIEWER = """
import rclpy
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image
rclpy.init()
node, seen = rclpy.create_node('viewer'), []
qos = qos_profile_sensor_data
node.create_subscription(Image, 'large', lambda m: seen.append(len(m.data)), qos)
while len(seen) < 40:
    rclpy.spin_once(node)
print(set(seen))
"""


def test_1080p_images_reach_another_process_with_the_profile(tmp_path):
    environment = {**os.environ}
    for distro in ('jazzy', 'kilted'):
        setting = choose(distro, {}, free_memory(), tmp_path).setting
        environment.update({name: value for name, value in setting.items() if value})
    camera = subprocess.Popen([sys.executable, '-c', CAMERA], env=environment)
    try:
        viewer = subprocess.run(
            [sys.executable, '-c', VIEWER], env=environment, capture_output=True, text=True,
            check=True, timeout=60,
        )  # fmt: skip
    finally:
        # not killed: that would leave 128 MiB of shared memory for good
        camera.send_signal(signal.SIGINT)
        camera.wait(20)
    assert viewer.stdout.strip() == str({1080 * 5760})
