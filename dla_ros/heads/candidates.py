"""Boxes as a head found them, cleaned of what no box can be."""

from dla_ros.detections import Detections, Float32
import numpy as np
from numpy.typing import NDArray


def to_candidates(xyxy: Float32, scores: Float32, class_ids: 'NDArray[np.intp]') -> Detections:
    """
    Give detections without boxes that are not finite or have no area.

    A network can give anything (an int8 overflow, a broken weight); nothing behind the heads has
    to expect NaN. ``xyxy`` is (n, 4), ``scores`` and ``class_ids`` are (n,); scores above 1
    become 1.
    """
    has_area = (xyxy[:, 2:] > xyxy[:, :2]).all(axis=1)
    good = has_area & np.isfinite(xyxy).all(axis=1) & ~np.isnan(scores)
    return Detections(
        np.ascontiguousarray(xyxy[good], np.float32),
        np.clip(scores[good], 0, 1).astype(np.float32, copy=False),
        class_ids[good].astype(np.int32),
    )


def join(parts: list[Detections]) -> Detections:
    """Put the boxes of several scales into one list."""
    if not parts:
        return Detections.empty()
    return Detections(
        np.concatenate([part.xyxy for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.class_ids for part in parts]),
    )
