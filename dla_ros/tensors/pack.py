"""Writing a float tensor into memory as a network wants it."""

from typing import Any

from dla_ros.errors import TensorError
from dla_ros.tensors.data_type import DataType
from dla_ros.tensors.lay_out import group_size
from dla_ros.tensors.layout import Layout
from dla_ros.tensors.quantise import quantise, scale_of
from dla_ros.tensors.spec import TensorSpec
from dla_ros.tensors.view import Bytes, to_view
import numpy as np
from numpy.typing import NDArray


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
