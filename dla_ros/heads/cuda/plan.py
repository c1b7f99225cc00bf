"""How a head's network is decoded on the GPU: which kernel, and where its numbers are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from dla_ros.heads.activation import logit
from dla_ros.heads.centernet import CenterNet
from dla_ros.heads.cuda.parameters import MOST_SCALES, Parameters, Scale, Tensor
from dla_ros.heads.detectnet_v2 import DetectNetV2
from dla_ros.heads.nanodet import NanoDet
from dla_ros.heads.protocol import Head
from dla_ros.heads.yolov5 import YoloV5
from dla_ros.heads.yolov8 import CELL_CENTRE, YoloV8
from dla_ros.heads.yolox import LEAD, YoloX
from dla_ros.tensors.data_type import DataType
from dla_ros.tensors.lay_out import ATOM, group_size, pixel_channels
from dla_ros.tensors.layout import Layout
from dla_ros.tensors.quantise import scale_of
from dla_ros.tensors.spec import TensorSpec

KERNELS = ('nanodet', 'yolov8', 'yolox', 'yolov5', 'detectnet_v2', 'centernet')
_ALL = 30  # a shift that leaves every value in the first group


@dataclass(frozen=True)
class MapPlan:
    """Say where one feature map lies: outputs by place, first channels, cells and their grid."""

    boxes: int
    classes: int
    first_box: int
    first_class: int
    cells: int
    columns: int
    stride: int = 1
    first_cell: int = 0
    anchor: tuple[float, float] = (0.0, 0.0)
    shifts: int | None = None


@dataclass(frozen=True)
class DecodePlan:
    """Hold what does not change from frame to frame; ``bins`` 0: boxes are plain numbers."""

    kernel: str
    maps: tuple[MapPlan, ...]
    classes: int
    bins: int
    is_sigmoid: bool
    offset: float
    is_transposed: bool = False
    box_scale: float = 1.0

    @classmethod
    def of(cls, head: Head, outputs: tuple[TensorSpec, ...]) -> 'DecodePlan | None':
        """Plan for a head whose rules a kernel knows; None for others."""
        plan = _plan(head, outputs)
        return plan if plan is not None and len(plan.maps) <= MOST_SCALES else None

    @property
    def most_cells(self) -> int:
        """Give the cells of the largest map."""
        return max(each.cells for each in self.maps)

    def fill(self, parameters: Parameters, outputs: tuple[TensorSpec, ...]) -> None:
        """Write all but addresses and thresholds; raise TensorError if int8 has no scale."""
        parameters.classes, parameters.bins = self.classes, self.bins
        parameters.is_sigmoid, parameters.offset = self.is_sigmoid, self.offset
        parameters.box_scale = self.box_scale
        first_order = 0
        for scale, each in zip(parameters.scales, self.maps, strict=False):
            self._fill_map(scale, each, outputs)
            scale.first_order = first_order
            first_order += each.cells * self.classes

    def thresholds(self, confidence: float) -> tuple[float, float]:
        """Give the least raw number and the least score for a confidence threshold."""
        return (logit(confidence) if self.is_sigmoid else confidence), confidence

    def _fill_map(self, scale: Scale, plan: MapPlan, outputs: tuple[TensorSpec, ...]) -> None:
        for tensor, place in ((scale.boxes, plan.boxes), (scale.classes, plan.classes)):
            _fill_tensor(tensor, outputs[place], is_transposed=self.is_transposed)
        if plan.shifts is not None:
            _fill_tensor(scale.shifts, outputs[plan.shifts], is_transposed=False)
        scale.first_box, scale.first_class = plan.first_box, plan.first_class
        scale.anchor_width, scale.anchor_height = plan.anchor
        scale.first_cell, scale.cells = plan.first_cell, plan.cells
        scale.columns, scale.stride = plan.columns, plan.stride


def _plan(head: Head, outputs: tuple[TensorSpec, ...]) -> DecodePlan | None:
    # Only these very classes: one derived from them may decode in another way.
    kind = type(head)
    if kind is YoloV8:
        return _of_yolov8(cast(YoloV8, head), outputs)
    make = _MAKERS.get(kind)
    return None if make is None else make(head)


def _of_nanodet(head: NanoDet) -> DecodePlan:
    maps = tuple(
        MapPlan(i, i, head.num_classes, 0, grid.cells, grid.height_width[1], grid.stride)
        for i, grid in enumerate(head.grids)
    )
    return DecodePlan('nanodet', maps, head.num_classes, head.bins, True, head.cell_offset)


def _of_yolov8(head: YoloV8, outputs: tuple[TensorSpec, ...]) -> DecodePlan:
    if not head.scales:
        height, width = outputs[0].height_width
        rows = (MapPlan(0, 0, 0, 4, height * width, width),)
        return DecodePlan('yolov8', rows, head.num_classes, 0, head.needs_sigmoid, 0.0)
    maps = tuple(
        MapPlan(
            scale.boxes, scale.classes, 0, 4 * head.bins if scale.boxes == scale.classes else 0,
            scale.grid.cells, scale.grid.height_width[1], scale.grid.stride,
        )
        for scale in head.scales
    )  # fmt: skip
    return DecodePlan('yolov8', maps, head.num_classes, head.bins, head.needs_sigmoid, CELL_CENTRE)


def _of_yolox(head: YoloX) -> DecodePlan:
    maps, first_cell = [], 0
    for i, grid in enumerate(head.grids):
        place = 0 if head.is_one_tensor else i
        maps.append(
            MapPlan(
                place, place, 0, LEAD, grid.cells, grid.height_width[1], grid.stride,
                first_cell if head.is_one_tensor else 0,
            )
        )  # fmt: skip
        first_cell += grid.cells
    return DecodePlan(
        'yolox', tuple(maps), head.num_classes, 0, head.needs_sigmoid, 0.0, head.is_one_tensor
    )


def _of_yolov5(head: YoloV5) -> DecodePlan:
    each = LEAD + head.num_classes
    maps = tuple(
        MapPlan(
            i, i, a * each, a * each + LEAD, grid.cells, grid.height_width[1], grid.stride,
            anchor=(float(anchor[0]), float(anchor[1])),
        )
        for i, (grid, anchors) in enumerate(zip(head.grids, head.anchors, strict=True))
        for a, anchor in enumerate(anchors)
    )  # fmt: skip
    return DecodePlan('yolov5', maps, head.num_classes, 0, True, 0.0)


def _of_detectnet_v2(head: DetectNetV2) -> DecodePlan:
    grid, (coverage, boxes) = head.grid, head.places
    only = MapPlan(boxes, coverage, 0, 0, grid.cells, grid.height_width[1], grid.stride)
    offset = head.box_offset / grid.stride
    return DecodePlan(
        'detectnet_v2', (only,), head.num_classes, 0, head.needs_sigmoid, offset,
        box_scale=head.box_scale,
    )  # fmt: skip


def _of_centernet(head: CenterNet) -> DecodePlan:
    grid, (heatmap, size, shift) = head.grid, head.places
    only = MapPlan(
        size, heatmap, 0, 0, grid.cells, grid.height_width[1], grid.stride, shifts=shift
    )
    return DecodePlan('centernet', (only,), head.num_classes, 0, head.needs_sigmoid, 0.0)


_MAKERS: dict[type, Callable[[Any], DecodePlan]] = {
    NanoDet: _of_nanodet,
    YoloX: _of_yolox,
    YoloV5: _of_yolov5,
    DetectNetV2: _of_detectnet_v2,
    CenterNet: _of_centernet,
}


def _fill_tensor(tensor: Tensor, spec: TensorSpec, *, is_transposed: bool) -> None:
    """Write the steps; transposed, channels are the cells and a line holds a cell's values."""
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
        tensor.cell_columns, tensor.cell_outer = group, spec.plane_stride
        tensor.cell_inner = element
        tensor.value_shift, tensor.value_inner = _ALL, pixel
    else:
        tensor.cell_columns, tensor.cell_outer = spec.dims[3], spec.line_stride
        tensor.cell_inner = pixel
        tensor.value_shift, tensor.value_outer = group.bit_length() - 1, spec.plane_stride
        tensor.value_inner = element
