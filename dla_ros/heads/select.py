"""Which cells of a score map are worth decoding: everything else is left alone."""

from dla_ros.detections import Float32
import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]


def every_class(scores: Float32, threshold: float) -> tuple[Indices, Indices]:
    """
    Give (classes, cells) of each element of ``scores`` (classes, cells) at or above a threshold.

    One cell may stand for several classes. NaN reaches no threshold.
    """
    # Of two axes np.nonzero costs ten times as much as of one.
    classes, cells = np.divmod(np.flatnonzero(scores >= np.float32(threshold)), scores.shape[1])
    return classes, cells


def best_class(scores: Float32, threshold: float) -> tuple[Indices, Indices]:
    """
    Give (classes, cells) with the best class of each cell at or above a threshold.

    ``scores`` is (classes, cells); NaN reaches no threshold and is never the best.
    """
    cells = np.flatnonzero((scores >= np.float32(threshold)).any(axis=0))
    chosen = scores[:, cells]
    classes = np.where(np.isnan(chosen), -np.inf, chosen).argmax(axis=0)
    return classes, cells
