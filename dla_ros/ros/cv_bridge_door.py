"""
The one door to cv_bridge, used where it is installed, and only for what it is good at.

Images come in without it: it copies every image with padded rows, and reads a step that is not a
multiple of the pixel wrongly. It takes encodings that the core does not know: the colours of 16
bits (rgb16, bgr16, rgba16, bgra16). What has no colours for it (16UC1, 32FC1: depth) stays
refused. Debug images go out through it.
"""

from typing import Any

from dla_ros.errors import ImageError
from dla_ros.images.image import ImageView, to_image_view
from dla_ros.ros.messages import to_image
import numpy as np
from numpy.typing import NDArray
from rclpy.logging import get_logger
from sensor_msgs.msg import Image
from std_msgs.msg import Header

_INSTALL = 'for more encodings: sudo apt install ros-$ROS_DISTRO-cv-bridge'


class CvBridgeDoor:
    """Hold a CvBridge, or why there is none."""

    def __init__(self, bridge: Any | None, why_not: str = '') -> None:
        """Keep what :meth:`open` found."""
        self._bridge = bridge
        self._why_not = why_not
        self._writes = bridge is not None

    @classmethod
    def open(cls) -> 'CvBridgeDoor':
        """Import cv_bridge; without it the node works, and says so where it would be needed."""
        try:
            from cv_bridge import CvBridge
        except ImportError:
            return cls(None, _INSTALL)
        # one that was built for another NumPy or OpenCV fails in ways of its own
        except Exception as err:
            return cls(None, f'cv_bridge is installed, but broken ({err}); {_INSTALL}')
        return cls(CvBridge())

    @property
    def is_open(self) -> bool:
        """Tell whether there is a cv_bridge."""
        return self._bridge is not None

    def convert(self, message: Image, refused: ImageError) -> ImageView:
        """Convert an image of an unknown encoding to bgr8, or raise the core's refusal of it."""
        if self._bridge is None:
            raise ImageError(f'{refused}; {self._why_not}')
        try:
            bgr = self._bridge.imgmsg_to_cv2(message, desired_encoding='bgr8')
        # CvBridgeError for an encoding, NumPy's and OpenCV's own errors for a wrong size
        except Exception as err:
            raise ImageError(f'{refused}; nor does cv_bridge read it: {err}') from err
        height, width = message.height, message.width
        if bgr is None or bgr.shape != (height, width, 3) or not bgr.size:
            raise ImageError(
                f'{message.encoding} image of height {height}, width {width}, step '
                f'{message.step}: cv_bridge makes no picture of that size of it; check the numbers'
            )
        return to_image_view(
            bgr.reshape(-1), height=height, width=width, encoding='bgr8', step=3 * width
        )

    def write(self, bgr: NDArray[np.uint8], header: Header) -> Image:
        """Write a (height, width, 3) picture as a bgr8 Image; without cv_bridge the same one."""
        if self._writes:
            try:
                return self._bridge.cv2_to_imgmsg(bgr, encoding='bgr8', header=header)
            # built for another NumPy or OpenCV; the picture needs nothing of it
            except Exception as err:
                self._writes = False
                get_logger('dla_ros').warning(
                    f'debug images go out without cv_bridge, which fails at them: {err}'
                )
        return to_image(bgr, header)
