"""Any known image as the picture that OpenCV draws on."""

import cv2
from dla_ros.images.image import ImageView
from dla_ros.preprocess.pixels import PixelSource
import numpy as np
from numpy.typing import NDArray


def to_bgr(image: ImageView) -> NDArray[np.uint8]:
    """
    Give a new picture (height, width, 3) of uint8, blue first; the image stays untouched.

    For drawing and looking, not for the frame's way to the network: it takes memory each time.
    """
    source = PixelSource.open(image, 'bgr8')
    pixels = source.to_pixels(image)
    bgr = np.empty((image.height, image.width, 3), np.uint8)
    if source.channels == 1:
        cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR, dst=bgr)
    else:
        planes = cv2.split(pixels)
        cv2.merge([planes[index] for index in source.pick], dst=bgr)
    return bgr
