"""Reading a tensor from memory as floats."""

from typing import Any

from dla_ros.tensors.data_type import DataType
from dla_ros.tensors.layout import Layout
from dla_ros.tensors.quantise import dequantise, scale_of
from dla_ros.tensors.spec import TensorSpec
from dla_ros.tensors.view import Bytes, to_view
import numpy as np
from numpy.typing import NDArray


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
