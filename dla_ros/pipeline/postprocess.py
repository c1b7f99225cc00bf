"""From a network's outputs to detections in the picture they came from."""

from dla_ros.detections import Detections
from dla_ros.heads.nms import MAX_CANDIDATES, non_maximum_suppression
from dla_ros.heads.protocol import Head
from dla_ros.pipeline.frame import Outcome, Thresholds
import numpy as np


class Postprocess:
    """Decode, suppress, map back, clip and limit; ``thresholds`` may be exchanged at any time."""

    def __init__(self, head: Head, thresholds: Thresholds) -> None:
        """Take the head of the network."""
        self.head = head
        self.thresholds = thresholds

    def detect(self, outcome: Outcome) -> Detections:
        """Give the detections in pixels of the source picture, best score first."""
        limits = self.thresholds
        candidates = self._decode(outcome, limits.confidence)
        if not len(candidates):
            return candidates
        best = non_maximum_suppression(candidates, limits.nms, MAX_CANDIDATES)
        # Counted last: boxes in the padding alone must not take the place of visible ones.
        visible = outcome.picture.letterbox.detections_to_source(best)
        return visible.select(np.arange(min(len(visible), limits.max_detections)))

    def _decode(self, outcome: Outcome, confidence: float) -> Detections:
        if outcome.found is None:
            return self.head.decode(outcome.outputs, confidence)
        # The threshold may have been raised while the frame was in flight.
        return outcome.found.select(outcome.found.scores >= np.float32(confidence))
