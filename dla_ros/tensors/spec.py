"""What a tensor is: its name, type, sizes, strides; and how a layout places it."""

from collections.abc import Sequence
from dataclasses import dataclass

from dla_ros.errors import TensorError
from dla_ros.tensors.format import DataType, Layout

Dims = tuple[int, int, int, int]


@dataclass(frozen=True)
class TensorSpec:
    """
    Describe a tensor as a network's file or driver reports it.

    ``dims`` is always (n, c, h, w). Strides are in bytes, as ``cudlaModuleTensorDescriptor`` has
    them: ``line_stride`` is one step in h, ``plane_stride`` one step in c (for chw16/chw32 one
    group of 32 bytes), 0 where the layout has no planes (dla_hwc4). ``size`` is the number of
    bytes to allocate for the whole tensor. ``scale`` is the int8 step: real = stored * scale;
    None for floating types and where nobody has told it yet.
    """

    name: str
    dims: Dims
    data_type: DataType
    layout: Layout
    line_stride: int
    plane_stride: int
    size: int
    scale: float | None = None

    @property
    def height_width(self) -> tuple[int, int]:
        """Give the spatial size (height, width) in pixels or cells."""
        return self.dims[2], self.dims[3]

    @property
    def channels(self) -> int:
        """Give the number of real channels, pad channels not counted."""
        return self.dims[1]

    def __str__(self) -> str:
        """Read like trtexec: ``images 1x3x416x416 fp16:chw16``."""
        dims = 'x'.join(str(size) for size in self.dims)
        return f'{self.name} {dims} {self.data_type.value}:{self.layout.value}'


def to_dims(name: str, shape: Sequence[int]) -> Dims:
    """
    Give (n, c, h, w) for a shape of one to four sizes, missing ones being 1.

    (n, c) becomes (n, c, 1, 1), (n, c, w) becomes (n, c, 1, w). Raise TensorError for more sizes.
    """
    sizes = [int(size) for size in shape]
    if not 1 <= len(sizes) <= 4:
        shown = 'x'.join(str(size) for size in sizes) or '(no size)'
        raise TensorError(
            f"tensor '{name}' of size {shown}: one to four sizes can be mapped to n, c, h, w; "
            'reshape it in the model'
        )
    if len(sizes) == 3:
        return sizes[0], sizes[1], 1, sizes[2]
    n, c, h, w = (*sizes, 1, 1, 1)[:4]
    return n, c, h, w


ATOM = 32  # bytes of one channel group and of one DLA memory atom
LINE_ALIGNMENT = 64  # bytes; Orin pads the lines of dla_linear and dla_hwc4 to this
MAX_EXTENT = 8192  # TensorRT, "Working with DLA": C, H and W in [1, 8192]
MAX_BATCH = 4096

ALLOWED_TYPES = {
    Layout.LINEAR: (DataType.FP32, DataType.FP16, DataType.INT8),
    Layout.DLA_LINEAR: (DataType.FP16, DataType.INT8),
    Layout.DLA_HWC4: (DataType.FP16, DataType.INT8),
    Layout.CHW16: (DataType.FP16,),
    Layout.CHW32: (DataType.INT8,),
}


def lay_out(
    name: str, dims: Dims, data_type: DataType, layout: Layout, scale: float | None = None
) -> TensorSpec:
    """
    Compute the strides and the size that a tensor has in a layout.

    The formulas are those of NvInferRuntime.h (``TensorFormat``) and agree with descriptors read
    from an Orin. Use them to make a tensor; one that a driver reports keeps the driver's strides.
    Raise TensorError for a type, layout and size that do not go together.
    """
    check_pair(name, data_type, layout)
    _check_dims(name, dims, layout)
    line, plane = _strides(dims, data_type, layout)
    size = dims[0] * (line * dims[2] if plane == 0 else plane * plane_count(dims[1], layout))
    return TensorSpec(name, dims, data_type, layout, line, plane, size, scale)


def check_pair(name: str, data_type: DataType, layout: Layout) -> None:
    """Raise TensorError where the layout does not exist for the type."""
    allowed = ALLOWED_TYPES[layout]
    if data_type not in allowed:
        types = ' or '.join(each.value for each in allowed)
        raise TensorError(
            f"tensor '{name}': {data_type.value}:{layout.value} does not exist; "
            f'{layout.value} holds {types}'
        )


def plane_count(channels: int, layout: Layout) -> int:
    """Give how many planes one picture has: channels, or groups of channels."""
    return -(-channels // group_size(layout)) if layout.is_grouped else channels


def group_size(layout: Layout) -> int:
    """Give the channels of one 32-byte group: 16 for chw16, 32 for chw32."""
    return {Layout.CHW16: 16, Layout.CHW32: 32}[layout]


def pixel_channels(channels: int) -> int:
    """Give the channels that dla_hwc4 stores for each pixel: 1 stays 1, 3 becomes 4."""
    return 1 if channels == 1 else 4


def _strides(dims: Dims, data_type: DataType, layout: Layout) -> tuple[int, int]:
    """Give the bytes of one step in h and of one step in c (or one channel group)."""
    _, channels, height, width = dims
    if layout.is_grouped:
        return width * ATOM, width * ATOM * height
    packed = width * data_type.itemsize
    if layout is Layout.LINEAR:
        return packed, packed * height
    if layout is Layout.DLA_LINEAR:
        return _round_up(packed), _round_up(packed) * height
    return _round_up(packed * pixel_channels(channels)), 0


def _round_up(nbytes: int) -> int:
    return -(-nbytes // LINE_ALIGNMENT) * LINE_ALIGNMENT


def _check_dims(name: str, dims: Dims, layout: Layout) -> None:
    shape = 'x'.join(str(size) for size in dims)
    if len(dims) != 4 or any(size < 1 for size in dims):
        raise TensorError(f"tensor '{name}': size {shape} must be n, c, h, w, each at least 1")
    if layout is not Layout.LINEAR and (dims[0] > MAX_BATCH or max(dims[1:]) > MAX_EXTENT):
        raise TensorError(
            f"tensor '{name}': size {shape} is beyond the DLA; "
            f'n goes to {MAX_BATCH}, c, h and w to {MAX_EXTENT}'
        )
    if layout is Layout.DLA_HWC4 and dims[1] not in {1, 3, 4}:
        raise TensorError(
            f"tensor '{name}': dla_hwc4 holds 1, 3 or 4 channels, not {dims[1]}; "
            'use dla_linear, chw16 (fp16) or chw32 (int8)'
        )
