"""
The one door to cv_bridge, used where it is installed, and only for what it is good at.

Images come in without it: it copies every image with padded rows, and reads a step that is not a
multiple of the pixel wrongly. It takes encodings that the core does not know, such as rgb16.
"""

from typing import Any

from dla_ros.errors import ImageError
from dla_ros.image import ImageView, to_image_view
from sensor_msgs.msg import Image


def open_bridge() -> Any | None:
    """Give a CvBridge, or None where cv_bridge is not installed (``ros-DISTRO-cv-bridge``)."""
    try:
        from cv_bridge import CvBridge
    except ImportError:
        return None
    return CvBridge()


def convert_image(bridge: Any | None, message: Image, refused: ImageError) -> ImageView:
    """Convert an image of an unknown encoding to bgr8, or raise the core's refusal of it."""
    if bridge is None:
        raise ImageError(
            f'{refused}; for more encodings: sudo apt install ros-$ROS_DISTRO-cv-bridge'
        )
    from cv_bridge import CvBridgeError

    try:
        bgr = bridge.imgmsg_to_cv2(message, desired_encoding='bgr8')
    except CvBridgeError as err:
        raise ImageError(f'{refused}; nor does cv_bridge: {err}') from err
    height, width, channels = bgr.shape
    return to_image_view(
        bgr.reshape(-1), height=height, width=width, encoding='bgr8', step=width * channels
    )
