"""Which box of this frame is which object of the last one; without ROS."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray


def overlaps(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the IoU of each box of ``one`` (N, 4) with each of ``other`` (M, 4), as (N, M)."""
    left_top = np.maximum(one[:, None, :2], other[None, :, :2])
    right_bottom = np.minimum(one[:, None, 2:], other[None, :, 2:])
    common = np.prod(np.clip(right_bottom - left_top, 0.0, None), axis=2)
    areas = [np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (one, other)]
    union = areas[0][:, None] + areas[1][None, :] - common
    return np.divide(common, union, out=np.zeros_like(common), where=union > 0)


@dataclass
class Track:
    """Hold an object: its number, its last box (xyxy, pixels), for how many frames it is gone."""

    number: int
    class_id: str
    xyxy: NDArray[np.float64]
    missed: int = 0


class Tracker:
    """
    Number objects: a box belongs to the object of its class that it overlaps most.

    Pairs are made from the best overlap down. A box that finds no object is a new one; an object
    without a box is forgotten after ``most_missed`` frames.
    """

    def __init__(self, least_overlap: float = 0.3, most_missed: int = 5) -> None:
        """Pair boxes with an IoU of at least ``least_overlap`` (0..1)."""
        if not 0.0 < least_overlap <= 1.0:
            raise ValueError(f'least_overlap {least_overlap} is not above 0 and up to 1')
        if most_missed < 0:
            raise ValueError(f'most_missed {most_missed} is below 0')
        self.least_overlap = least_overlap
        self.most_missed = most_missed
        self.tracks: list[Track] = []
        self._numbers = count(1)

    def update(self, xyxy: NDArray[np.float64], class_ids: Sequence[str]) -> list[int]:
        """Take the boxes (N, 4) of the next frame; give the number of each one's object."""
        boxes = np.asarray(xyxy, np.float64).reshape(-1, 4)
        pairs = self._pairs(boxes, class_ids)
        for index, track in enumerate(self.tracks):
            track.missed = 0 if index in pairs.values() else track.missed + 1
        found = [
            self._move(pairs[row], boxes[row]) if row in pairs else self._add(boxes[row], class_id)
            for row, class_id in enumerate(class_ids)
        ]
        self.tracks = [track for track in self.tracks if track.missed <= self.most_missed]
        return found

    def forget(self) -> None:
        """Forget all objects; their numbers are not used again."""
        self.tracks = []

    def _pairs(self, boxes: NDArray[np.float64], class_ids: Sequence[str]) -> dict[int, int]:
        """Give row of the box to index of its track, for those that have one."""
        if not self.tracks or not len(boxes):
            return {}
        scores = overlaps(boxes, np.array([track.xyxy for track in self.tracks]))
        same = np.array([[name == track.class_id for track in self.tracks] for name in class_ids])
        scores = np.where(same, scores, 0.0)
        pairs: dict[int, int] = {}
        while scores.max() >= self.least_overlap:
            row, index = (int(i) for i in np.unravel_index(scores.argmax(), scores.shape))
            pairs[row] = index
            scores[row, :] = scores[:, index] = 0.0
        return pairs

    def _move(self, index: int, box: NDArray[np.float64]) -> int:
        track = self.tracks[index]
        track.xyxy = box
        return track.number

    def _add(self, box: NDArray[np.float64], class_id: str) -> int:
        self.tracks.append(Track(next(self._numbers), class_id, box))
        return self.tracks[-1].number
