"""Nodes that hand images to each other."""

from dla_ros.ros.handover.publisher import HandoverPublisher
from dla_ros.ros.handover.subscription import HandoverSubscription
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image


class CameraNode(Node):
    """A camera that shows what it is told to, and forgets to close its publisher."""

    def __init__(self):
        super().__init__('camera')
        self.images = HandoverPublisher(self, Image, 'image', qos_profile_sensor_data)


class ViewerNode(Node):
    """A viewer that keeps what it sees, and stumbles over the first image."""

    def __init__(self):
        super().__init__('viewer')
        self.seen = []
        self.images = HandoverSubscription(
            self, Image, 'image', self.on_image, qos_profile_sensor_data
        )

    def on_image(self, image):
        self.seen.append(image)
        if len(self.seen) == 1:
            raise LookupError('never saw such a thing')
