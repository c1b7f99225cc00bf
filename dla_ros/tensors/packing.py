"""Floats into the elements of a tensor and back."""

from typing import Any

from dla_ros.errors import TensorError
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import group_size, TensorSpec
from dla_ros.tensors.view import Bytes, to_view
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


def pack(spec: TensorSpec, values: NDArray[np.float32], buffer: Bytes) -> None:
    """
    Write ``values`` (float32, shape (n, c, h, w)) into ``buffer`` in the type and layout of spec.

    int8 is rounded half away from zero and saturated; fp16 beyond 65504 becomes infinite. All
    padding becomes 0, because the DLA computes with pad channels. Raise TensorError for a wrong
    shape or a missing scale.
    """
    if values.shape != spec.dims:
        raise TensorError(f'tensor {spec}: values of shape {values.shape} do not fit')
    view = to_view(spec, buffer)
    stored = _to_type(spec, values)
    buffer[: spec.size] = 0
    if spec.layout is Layout.DLA_HWC4:
        view[..., : spec.channels] = stored.transpose(0, 2, 3, 1)
    elif spec.layout.is_grouped:
        _write_groups(view, stored, group_size(spec.layout))
    else:
        view[...] = stored


def _to_type(spec: TensorSpec, values: NDArray[np.float32]) -> NDArray[Any]:
    if spec.data_type is DataType.INT8:
        return quantise(values, scale_of(spec))
    with np.errstate(over='ignore'):
        return values.astype(spec.data_type.numpy)


def _write_groups(view: NDArray[Any], stored: NDArray[Any], size: int) -> None:
    """Write each group of channels behind the pixels it belongs to."""
    for index in range(view.shape[1]):
        group = stored[:, index * size : (index + 1) * size]
        view[:, index, :, :, : group.shape[1]] = group.transpose(0, 2, 3, 1)


def unpack(spec: TensorSpec, buffer: Bytes) -> NDArray[np.float32]:
    """
    Copy the tensor in ``buffer`` out as float32 of shape (n, c, h, w), padding left behind.

    int8 is multiplied by the scale. Raise TensorError for a small buffer or a missing scale.
    """
    return to_floats(spec, to_view(spec, buffer))


def to_floats(spec: TensorSpec, view: NDArray[Any]) -> NDArray[np.float32]:
    """Do what :func:`unpack` does, for a view that was made before (``to_view``)."""
    stored = to_nchw(spec, view)
    if spec.data_type is DataType.INT8:
        return np.ascontiguousarray(dequantise(stored, scale_of(spec)))
    floats: NDArray[np.float32] = stored.astype(np.float32, order='C')
    return floats


def to_nchw(spec: TensorSpec, view: Any) -> Any:
    """Reorder a view (of NumPy, or of CuPy) to (n, c, h, w), pad channels cut off."""
    if spec.layout is Layout.DLA_HWC4:
        return view.transpose(0, 3, 1, 2)[:, : spec.channels]
    if spec.layout.is_grouped:
        count, groups, height, width, size = view.shape
        planes = view.transpose(0, 1, 4, 2, 3).reshape(count, groups * size, height, width)
        return planes[:, : spec.channels]
    return view
