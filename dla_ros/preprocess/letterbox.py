"""Where a picture lies in the network's rectangle, and the way back."""

from dataclasses import dataclass

from dla_ros.detections import Detections, Float32
from dla_ros.preprocess.preprocessing import Padding
import numpy as np
from numpy.typing import NDArray

HeightWidth = tuple[int, int]


@dataclass(frozen=True)
class Letterbox:
    """
    Place a source picture as a rectangle of whole pixels in the network's input.

    ``source`` and ``network`` are (height, width). The picture fills ``height`` x ``width`` pixels
    (each at least 1) from ``top``, ``left``. Because those are whole numbers the two axes may be
    scaled a little differently; both directions use the very numbers of their axis, so a box
    comes back where it was.
    """

    source: HeightWidth
    network: HeightWidth
    top: int
    left: int
    height: int
    width: int

    @classmethod
    def fit(cls, source_hw: HeightWidth, network_hw: HeightWidth, padding: Padding) -> 'Letterbox':
        """
        Make the picture as large as the network allows, keeping its shape unless STRETCH.

        A size between two pixels is rounded, a half up; an odd row or column of CENTER padding
        goes to the bottom or right. Raise ValueError for a size below 1.
        """
        if min(*source_hw, *network_hw) < 1:
            raise ValueError(f'sizes must be at least 1: source {source_hw}, network {network_hw}')
        height, width = network_hw
        if padding is not Padding.STRETCH:
            height, width = _largest(source_hw, network_hw)
        top, left = 0, 0
        if padding is Padding.CENTER:
            top, left = (network_hw[0] - height) // 2, (network_hw[1] - width) // 2
        return cls(source_hw, network_hw, top, left, height, width)

    def to_source(self, xyxy: Float32) -> Float32:
        """
        Bring boxes (n, 4) from network to source pixels, cut off at the picture's edges.

        A box that lies in the padding comes back without area; ``is_visible`` tells.
        """
        corners = (xyxy.astype(np.float64) - self._offset) / self._zoom
        return np.clip(corners, 0, self._edges).astype(np.float32)

    def to_network(self, xyxy: Float32) -> Float32:
        """Bring boxes (n, 4) from source to network pixels."""
        return (xyxy.astype(np.float64) * self._zoom + self._offset).astype(np.float32)

    def detections_to_source(self, detections: Detections) -> Detections:
        """Bring detections to source pixels and leave out those that lie in the padding."""
        xyxy = self.to_source(detections.xyxy)
        moved = Detections(xyxy, detections.scores, detections.class_ids)
        return moved.select(is_visible(xyxy))

    @property
    def _zoom(self) -> NDArray[np.float64]:
        """Give network pixels per source pixel for x, y, x, y."""
        across, down = self.width / self.source[1], self.height / self.source[0]
        return np.array([across, down, across, down])

    @property
    def _offset(self) -> NDArray[np.float64]:
        return np.array([self.left, self.top, self.left, self.top], np.float64)

    @property
    def _edges(self) -> NDArray[np.float64]:
        height, width = self.source
        return np.array([width, height, width, height], np.float64)


def is_visible(xyxy: Float32) -> 'NDArray[np.bool_]':
    """Tell which boxes (n, 4) have an area; one with a NaN has none."""
    return (xyxy[:, 2] > xyxy[:, 0]) & (xyxy[:, 3] > xyxy[:, 1])


def _largest(source: HeightWidth, network: HeightWidth) -> HeightWidth:
    """Give the largest whole size of the source's shape within the network's, in integers."""
    if network[0] * source[1] <= network[1] * source[0]:
        return network[0], _scaled(source[1], network[0], source[0])
    return _scaled(source[0], network[1], source[1]), network[1]


def _scaled(size: int, numerator: int, denominator: int) -> int:
    """Give size * numerator / denominator, a half rounded up, never below 1."""
    return max(1, (2 * size * numerator + denominator) // (2 * denominator))
