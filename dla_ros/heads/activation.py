"""The logistic function and its inverse, for scores that a network gives as logits."""

import math

from dla_ros.detections import Float32
from dla_ros.heads.unchecked import unchecked
import numpy as np


def sigmoid(values: Float32) -> Float32:
    """Give 1 / (1 + exp(-x)) for each element; infinities give 0 and 1."""
    with unchecked():
        result: Float32 = np.float32(1) / (np.float32(1) + np.exp(-values))
    return result


def logit(probability: float) -> float:
    """
    Give the logit of a threshold, so that logits are compared without any exp.

    0 and 1 give minus and plus infinity.
    """
    if probability <= 0:
        return -math.inf
    return math.inf if probability >= 1 else math.log(probability / (1 - probability))
