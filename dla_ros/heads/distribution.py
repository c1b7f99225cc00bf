"""Distances written as distributions over bins (Generalized Focal Loss, arXiv:2006.04388)."""

from dla_ros.detections import Float32
from dla_ros.heads.unchecked import unchecked
import numpy as np


def expected_distances(logits: Float32, bins: int) -> Float32:
    """
    Give the mean of four distributions as distances (n, 4), in units of one bin.

    ``logits`` is (4 * bins, n): left, top, right, bottom, each over 0, 1, ... bins - 1.
    """
    sides = logits.reshape(4, bins, -1)
    with unchecked():
        weights = np.exp(sides - sides.max(axis=1, keepdims=True, initial=-np.inf))
        means = np.einsum('b,sbn->ns', np.arange(bins, dtype=np.float32), weights)
        distances: Float32 = means / weights.sum(axis=1).T
    return distances
