"""Looking at a buffer as a tensor without copying it."""

from typing import Any

from dla_ros.errors import TensorError
from dla_ros.tensors.format import Layout
from dla_ros.tensors.spec import ATOM, group_size, pixel_channels, plane_count, TensorSpec
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


def to_view(spec: TensorSpec, buffer: Bytes) -> NDArray[Any]:
    """
    Show the elements of ``buffer`` (uint8, at least ``spec.size`` bytes) as ``spec`` places them.

    The strides are those of the spec, which may come from a driver and be larger than the
    formula. Shapes: (n, c, h, w) for linear and dla_linear; (n, h, w, c') for dla_hwc4, where c'
    counts the stored channels (1 or 4); (n, groups, h, w, g) for chw16 and chw32. Raise
    TensorError if the buffer is too small or the spec does not fit its own size.
    """
    check_geometry(spec)
    _check_buffer(spec, buffer)
    shape, strides = geometry(spec)
    return np.ndarray(shape, spec.data_type.numpy, buffer[: spec.size], strides=strides)


def check_geometry(spec: TensorSpec) -> None:
    """
    Raise TensorError where the numbers of a spec contradict each other.

    Lines may not overlap each other, nor planes, and the last element lies within the size.
    """
    shape, strides = geometry(spec)
    if min(spec.dims) < 1:
        raise TensorError(f'tensor {spec}: each of n, c, h and w must be at least 1')
    inner = spec.data_type.itemsize
    for steps, stride in sorted(zip(shape, strides, strict=True), key=lambda axis: axis[1]):
        if steps > 1 and stride < inner:
            raise TensorError(f'tensor {spec}: a stride of {stride} bytes makes elements overlap')
        inner += (steps - 1) * stride
    if inner > spec.size:
        raise TensorError(
            f'tensor {spec}: line stride {spec.line_stride} and plane stride '
            f'{spec.plane_stride} reach beyond its {spec.size} bytes'
        )


def geometry(spec: TensorSpec) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the shape of the view and the bytes of one step along each of its axes."""
    count, channels, height, width = spec.dims
    element, line, plane = spec.data_type.itemsize, spec.line_stride, spec.plane_stride
    if spec.layout is Layout.DLA_HWC4:
        stored = pixel_channels(channels)
        shape = (count, height, width, stored)
        return shape, (line * height, line, element * stored, element)
    planes = plane_count(channels, spec.layout)
    if spec.layout.is_grouped:
        grouped = (count, planes, height, width, group_size(spec.layout))
        return grouped, (plane * planes, plane, line, ATOM, element)
    return (count, channels, height, width), (plane * planes, plane, line, element)


def _check_buffer(spec: TensorSpec, buffer: Bytes) -> None:
    if buffer.dtype != np.uint8 or buffer.ndim != 1 or not buffer.flags.c_contiguous:
        raise TensorError(
            f'tensor {spec}: its memory must be a contiguous row of uint8, '
            f'not {buffer.dtype} of shape {buffer.shape}'
        )
    if buffer.nbytes < spec.size:
        raise TensorError(
            f'tensor {spec}: needs {spec.size} bytes, the buffer has {buffer.nbytes}'
        )
