"""Where the pixels of one axis come from: steps 1 of the rule in ``preprocess/sample.py``."""

import numpy as np
from numpy.typing import NDArray

WEIGHT_BITS = 9  # a weight is 0..256


def to_axis(source: int, target: int) -> NDArray[np.int32]:
    """
    Give ``j << 9 | b`` for each of ``target`` pixels, (target,), as the kernel reads it.

    ``j`` is the source pixel (0 .. source - 1), ``b`` the weight of the next one in 1/256.
    Worked out here in double precision, which GPUs of robots have little of.
    """
    x = (1 / (target / source)) * (np.arange(target) + 0.5) - 0.5
    first = np.floor(x)
    weight = np.rint((x - first) * 256).astype(np.int32)
    weight[(first < 0) | (first >= source - 1)] = 0
    # A weight of 256 is the next pixel alone; it exists, or the weight would be 0 here.
    index = np.clip(first, 0, source - 1).astype(np.int32)
    axis: NDArray[np.int32] = (index << WEIGHT_BITS) | weight
    return axis


def is_mixed(*axes: NDArray[np.int32]) -> bool:
    """Tell whether any weight is not 0."""
    return any(bool((axis & ((1 << WEIGHT_BITS) - 1)).any()) for axis in axes)


def needed(axis: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Give the source pixels that an axis looks at, in order, and the axis over those alone."""
    index, weight = axis >> WEIGHT_BITS, axis & ((1 << WEIGHT_BITS) - 1)
    kept = np.union1d(index, index[weight > 0] + 1)
    renumbered = np.searchsorted(kept, index).astype(np.int32)
    return kept.astype(np.intp), (renumbered << WEIGHT_BITS) | weight
