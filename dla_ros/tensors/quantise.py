"""Real numbers as int8 steps, as the DLA counts them."""

from typing import Any

from dla_ros.errors import TensorError
from dla_ros.tensors.spec import TensorSpec
import numpy as np
from numpy.typing import NDArray

LOWEST, HIGHEST = -128, 127


def quantise(values: NDArray[np.floating[Any]], scale: float) -> NDArray[np.int8]:
    """
    Turn real numbers into steps of ``scale``: round, then saturate to -128..127; NaN becomes 0.

    A half is rounded away from zero, as the DLA does (NVIDIA/TensorRT#2222; NumPy's own ``rint``
    rounds a half to even and would differ by one step). float64 because 0.49999997 + 0.5 is 1
    in float32.
    """
    steps = values.astype(np.float64) / scale
    steps += np.copysign(0.5, steps)
    np.clip(steps, LOWEST, HIGHEST, out=steps)
    steps[np.isnan(steps)] = 0
    return steps.astype(np.int8)  # cuts towards zero


def dequantise(steps: NDArray[np.int8], scale: float) -> NDArray[np.float32]:
    """Turn steps back into real numbers."""
    return np.multiply(steps, np.float32(scale), dtype=np.float32)


def scale_of(spec: TensorSpec) -> float:
    """Give the int8 scale of a tensor; raise TensorError where nobody has told a usable one."""
    if spec.scale is None or not 0 < spec.scale < float('inf'):
        raise TensorError(
            f'tensor {spec}: int8 needs a scale above 0, it has {spec.scale}. A loadable carries '
            'none: write it in the deployment record under io'
        )
    return spec.scale
