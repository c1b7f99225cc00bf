"""Boxes with scores and classes, as arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]


@dataclass(frozen=True)
class Detections:
    """
    Hold n boxes, best score first.

    ``xyxy`` is (n, 4) float32: left, top, right, bottom in pixels, sub-pixel, edges not centres (a
    box over the whole image is 0, 0, width, height). ``scores`` is (n,) float32 in [0, 1];
    ``class_ids`` is (n,) int32, index into the labels.
    """

    xyxy: Float32
    scores: Float32
    class_ids: Int32

    def __len__(self) -> int:
        """Give the number of boxes."""
        return len(self.scores)

    @classmethod
    def empty(cls) -> 'Detections':
        """Give no boxes at all."""
        return cls(np.zeros((0, 4), np.float32), np.zeros(0, np.float32), np.zeros(0, np.int32))

    def select(self, index: 'NDArray[np.intp] | NDArray[np.bool_]') -> 'Detections':
        """Give the boxes at ``index`` (integers or a mask), in that order."""
        return Detections(self.xyxy[index], self.scores[index], self.class_ids[index])
