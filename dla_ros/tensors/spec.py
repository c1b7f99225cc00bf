"""One tensor at the border of a network: its name, size, type and place of every element."""

from dataclasses import dataclass

from dla_ros.tensors.data_type import DataType
from dla_ros.tensors.layout import Layout

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
