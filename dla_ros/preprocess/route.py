"""The way of pictures of one size and encoding to planes of the network's size."""

from collections.abc import Sequence

import cv2
from dla_ros.images.image import ImageView
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.pixels import Pixels, PixelSource
from dla_ros.preprocess.sample import sample
import numpy as np


class Route:
    """
    Convert, scale and take apart, in memory taken once.

    What ``to_planes`` gives lives until the next call, or as long as the image where nothing had
    to be done.
    """

    def __init__(self, image: ImageView, network_encoding: str, letterbox: Letterbox) -> None:
        """Take memory for images like ``image``."""
        self.letterbox = letterbox
        self._source = PixelSource.open(image, network_encoding)
        size = (letterbox.height, letterbox.width)
        channels = self._source.channels
        self._sampled = np.empty(size if channels == 1 else (*size, channels), np.uint8)
        self._planes = [np.empty(size, np.uint8) for _ in range(channels)]

    def to_planes(self, image: ImageView) -> Sequence[Pixels]:
        """Give one uint8 plane (height, width of the letterbox) for each network channel."""
        sampled = sample(self._source.to_pixels(image), self._sampled)
        if sampled.ndim == 2:
            return [sampled] * len(self._source.pick)
        cv2.split(sampled, self._planes)
        return [self._planes[index] for index in self._source.pick]
