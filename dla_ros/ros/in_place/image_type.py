"""The message class with which to subscribe to images."""

from functools import cache
from typing import Any

from dla_ros.ros.in_place.check import mismatch
from dla_ros.ros.in_place.received_image import ReceivedImage
from dla_ros.ros.in_place.type_support import with_conversion
from rclpy.logging import get_logger
from sensor_msgs.msg import Image


@cache
def image_type() -> Any:
    """
    Give a class that is ``sensor_msgs/Image`` to DDS, and whose messages are ReceivedImages.

    rclpy unpacks a message into its C form, copies the pixels into bytes and those into an
    array.array; with this class they stay where they were unpacked. That leans on how rosidl lays
    messages out, so it is tried first, once a process; where it does not hold, a warning is
    logged and Image itself is given.
    """
    reason = mismatch()
    if not reason:
        return with_conversion(Image, ReceivedImage)
    get_logger('dla_ros').warning(
        f'{reason}: dla_ros does not know this build of ROS, so each image is copied twice more'
    )
    return Image
