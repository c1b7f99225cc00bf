"""
The usual rclpy detector node, for comparison: what most teams write first.

A plain Node with default settings; the image becomes bgr8 by cv_bridge (where there is none, by
what it does: frombuffer, reshape, a copy by cvtColor), then cv2.resize, copyMakeBorder, float,
normalise, transpose, fp16. The network costs nothing: an empty Detection2DArray is published for
each image.
"""

import sys

import cv2
import numpy as np
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

try:
    from cv_bridge import CvBridge
except ImportError:
    BRIDGE = None
else:
    BRIDGE = CvBridge()

SIZE = 640


class UsualNode(Node):
    """Subscribe, preprocess in the callback, publish."""

    def __init__(self):
        """Create publisher and subscription with default settings."""
        super().__init__('usual_detector')
        self.publisher = self.create_publisher(Detection2DArray, 'detections', 10)
        qos = 10 if '--reliable' in sys.argv else qos_profile_sensor_data
        self.create_subscription(Image, 'image', self.on_image, qos)

    def on_image(self, message):
        """Do everything in the callback."""
        preprocess(to_cv2(message))
        self.publisher.publish(Detection2DArray(header=message.header))


def imitate_cv_bridge(message):
    """Give the picture as bgr8: a view of the data, and a copy by cvtColor."""
    image = np.frombuffer(message.data, np.uint8).reshape(message.height, message.width, 3)
    return cv2.cvtColor(image, cv2.COLOR_RGB2BGR)


def to_cv2(message):
    """Convert by cv_bridge where it is installed."""
    return imitate_cv_bridge(message) if BRIDGE is None else BRIDGE.imgmsg_to_cv2(message, 'bgr8')


def preprocess(bgr):
    """Letterbox to 640x640 and normalise, the usual way."""
    rgb = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
    scale = SIZE / max(rgb.shape[:2])
    small = cv2.resize(rgb, (round(rgb.shape[1] * scale), round(rgb.shape[0] * scale)))
    top = (SIZE - small.shape[0]) // 2
    left = (SIZE - small.shape[1]) // 2
    padded = cv2.copyMakeBorder(
        small, top, SIZE - small.shape[0] - top, left, SIZE - small.shape[1] - left,
        cv2.BORDER_CONSTANT, value=(114, 114, 114),
    )  # fmt: skip
    chw = np.transpose(padded.astype(np.float32) / 255.0, (2, 0, 1))
    return np.ascontiguousarray(chw[None], np.float16)


def main():
    """Spin until interrupted."""
    rclpy.init()
    try:
        rclpy.spin(UsualNode())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == '__main__':
    main()
