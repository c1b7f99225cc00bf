"""Of boxes that cover the same thing, keep the best."""

import cv2
from dla_ros.detections import Detections
import numpy as np
from numpy.typing import NDArray

# Comparing grows with the square of the candidates: with a threshold near 0 a network gives
# thousands, of which the weak are noise (NanoDet's own limit, nms_pre, is the same).
MAX_CANDIDATES = 1000


def non_maximum_suppression(
    candidates: Detections,
    iou_threshold: float,
    max_detections: int,
    *,
    is_class_agnostic: bool = False,
) -> Detections:
    """
    Give the boxes that no better box of their class overlaps by more than a threshold.

    ``iou_threshold`` is 0..1 (intersection over union). At most ``max_detections`` come back,
    best score first; equal scores keep their order. Boxes must be finite, as heads give them.
    ``is_class_agnostic`` lets a box of any class suppress.
    """
    order = np.argsort(-candidates.scores, kind='stable')[:MAX_CANDIDATES]
    if not len(order):
        return Detections.empty()
    best = candidates.select(order)
    kept = cv2.dnn.NMSBoxes(
        _rectangles(best, is_class_agnostic).tolist(), best.scores.tolist(), 0.0, iou_threshold
    )
    return best.select(np.asarray(kept, np.intp).reshape(-1)[:max_detections])


def _rectangles(detections: Detections, is_class_agnostic: bool) -> 'NDArray[np.float64]':
    """
    Give x, y, width, height; each class is moved to a place of its own, so classes never meet.

    OpenCV's NMSBoxesBatched does the same, but 4.6 (Ubuntu 24.04) does not have it.
    """
    rectangles = detections.xyxy.astype(np.float64)
    rectangles[:, 2:] -= rectangles[:, :2]
    if not is_class_agnostic:
        span = np.ptp(detections.xyxy.astype(np.float64)) + 1
        rectangles[:, 0] += span * detections.class_ids
    return rectangles
