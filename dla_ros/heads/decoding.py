"""The steps that heads decode with: activations, distributions, boxes, candidates."""

from contextlib import AbstractContextManager
import math

from dla_ros.detections import Detections, Float32
import numpy as np
from numpy.typing import NDArray


def unchecked() -> AbstractContextManager[object]:
    """
    Let overflow, infinities and NaN pass without a warning within a with block.

    What comes of them is dropped where candidates are made, or is right (exp of a large number).
    """
    return np.errstate(over='ignore', invalid='ignore')


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


def from_centres(centres: Float32, sizes: Float32) -> Float32:
    """Give xyxy (n, 4) from centres x, y (n, 2) and sizes width, height (n, 2)."""
    halves = sizes / np.float32(2)
    return np.concatenate([centres - halves, centres + halves], axis=1)


def from_sides(points: Float32, sides: Float32) -> Float32:
    """Give xyxy (n, 4) from points x, y (n, 2) and distances left, top, right, bottom (n, 4)."""
    return np.concatenate([points - sides[:, :2], points + sides[:, 2:]], axis=1)


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
