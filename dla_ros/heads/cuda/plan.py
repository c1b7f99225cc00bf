"""How a network is decoded on the GPU: which kernel, and where its numbers are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dla_ros.detections import Float32
from dla_ros.heads.cuda.parameters import (
    DecodeParameters,
    MapParameters,
    MOST_MAPS,
    TensorParameters,
)
from dla_ros.heads.decoding import logit
from dla_ros.heads.grid import Grid
from dla_ros.heads.protocol import Head
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.packing import scale_of
from dla_ros.tensors.spec import ATOM, group_size, pixel_channels, TensorSpec

_ALL = 30  # a shift that leaves every value in the first group


@dataclass(frozen=True)
class MapPlan:
    """
    Say where one feature map lies: outputs by place, first channels, cells and their grid.

    ``third`` is an output that some heads read besides; ``numbers`` (up to 2) are for the head's
    own kernel, as an anchor.
    """

    boxes: int
    classes: int
    first_box: int
    first_class: int
    cells: int
    columns: int
    stride: int = 1
    first_cell: int = 0
    third: int | None = None
    numbers: tuple[float, ...] = ()

    @classmethod
    def over(
        cls, grid: Grid, boxes: int, classes: int, first_box: int, first_class: int, **more: Any
    ) -> 'MapPlan':
        """Plan a map whose cells are those of a grid."""
        size = (grid.cells, grid.height_width[1], grid.stride)
        return cls(boxes, classes, first_box, first_class, *size, **more)


@dataclass(frozen=True, eq=False)
class DecodePlan:
    """
    Hold what does not change from frame to frame.

    ``kernel`` is the name of a file beside this one and of the kernel in it. ``is_sigmoid`` says
    that scores are logits still, ``is_logit`` that at least the threshold is compared with some.
    ``bins`` 0: boxes are plain numbers. ``numbers`` (up to 4), ``switches`` (up to 8) and
    ``table`` are what the head's own kernel alone knows the meaning of.
    """

    kernel: str
    maps: tuple[MapPlan, ...]
    classes: int
    is_sigmoid: bool
    bins: int = 0
    offset: float = 0.0
    is_transposed: bool = False
    is_logit: bool = False
    numbers: tuple[float, ...] = ()
    switches: tuple[int, ...] = ()
    table: Float32 | None = None

    @property
    def source(self) -> Path:
        """Return the file with the kernel."""
        return Path(__file__).with_name(f'{self.kernel}.cu')

    @property
    def most_cells(self) -> int:
        """Give the cells of the largest map."""
        return max(each.cells for each in self.maps)

    def fill(self, parameters: DecodeParameters, outputs: tuple[TensorSpec, ...]) -> None:
        """Write all but addresses and thresholds; raise TensorError if int8 has no scale."""
        parameters.classes, parameters.bins = self.classes, self.bins
        parameters.is_sigmoid, parameters.offset = self.is_sigmoid, self.offset
        parameters.numbers[: len(self.numbers)] = self.numbers
        parameters.switches[: len(self.switches)] = self.switches
        first_order = 0
        for target, each in zip(parameters.maps, self.maps, strict=False):
            self._fill_map(target, each, outputs)
            target.first_order = first_order
            first_order += each.cells * self.classes

    def thresholds(self, confidence: float) -> tuple[float, float]:
        """Give the least raw number and the least score for a confidence threshold."""
        is_logit = self.is_sigmoid or self.is_logit
        return (logit(confidence) if is_logit else confidence), confidence

    def _fill_map(
        self, target: MapParameters, plan: MapPlan, outputs: tuple[TensorSpec, ...]
    ) -> None:
        for tensor, place in ((target.boxes, plan.boxes), (target.classes, plan.classes)):
            _fill_tensor(tensor, outputs[place], is_transposed=self.is_transposed)
        if plan.third is not None:
            _fill_tensor(target.third, outputs[plan.third], is_transposed=False)
        target.first_box, target.first_class = plan.first_box, plan.first_class
        target.first_cell, target.cells = plan.first_cell, plan.cells
        target.columns, target.stride = plan.columns, plan.stride
        target.numbers[: len(plan.numbers)] = plan.numbers


def plan_for(head: Head, outputs: tuple[TensorSpec, ...]) -> DecodePlan | None:
    """
    Ask a head how its outputs are decoded on the GPU; None where the CPU decodes them.

    A head with a kernel has ``decode_plan(outputs)``. Asked is the very class only: one derived
    from it may decode in another way.
    """
    make = vars(type(head)).get('decode_plan')
    plan: DecodePlan | None = None if make is None else make(head, outputs)
    if plan is None or len(plan.maps) > MOST_MAPS:
        return None
    # Rows of an exported tensor lie along c or along h, and the kernel takes one step for them.
    is_folded = any(spec.dims[1] > 1 and spec.dims[2] > 1 for spec in outputs)
    return None if plan.is_transposed and is_folded else plan


def _fill_tensor(tensor: TensorParameters, spec: TensorSpec, *, is_transposed: bool) -> None:
    """Write the steps; transposed, a line holds a cell's values, a channel or line is a cell."""
    element = spec.data_type.itemsize
    group, pixel = 1, element
    if spec.layout.is_grouped:
        group, pixel = group_size(spec.layout), ATOM
    elif spec.layout is Layout.DLA_HWC4:
        group = pixel_channels(spec.channels)
        pixel = group * element
    tensor.element = element
    tensor.scale = scale_of(spec) if spec.data_type is DataType.INT8 else 1.0
    if is_transposed:
        if spec.dims[1] > 1:
            tensor.cell_columns, tensor.cell_outer = group, spec.plane_stride
            tensor.cell_inner = element
        else:
            tensor.cell_columns, tensor.cell_outer = 1, spec.line_stride
        tensor.value_shift, tensor.value_inner = _ALL, pixel
    else:
        tensor.cell_columns, tensor.cell_outer = spec.dims[3], spec.line_stride
        tensor.cell_inner = pixel
        tensor.value_shift, tensor.value_outer = group.bit_length() - 1, spec.plane_stride
        tensor.value_inner = element
