"""Which plan each head has; heads without one are decoded by the CPU."""

from collections.abc import Callable
from typing import Any, cast

from dla_ros.heads.centernet import CenterNet
from dla_ros.heads.cuda.parameters import MOST_SCALES
from dla_ros.heads.cuda.plan import DecodePlan, MapPlan, Priors
from dla_ros.heads.detectnet_v2 import DetectNetV2
from dla_ros.heads.nanodet import NanoDet
from dla_ros.heads.protocol import Head
from dla_ros.heads.ssd import Ssd
from dla_ros.heads.yolov5 import YoloV5
from dla_ros.heads.yolov8 import CELL_CENTRE, YoloV8
from dla_ros.heads.yolox import LEAD, YoloX
from dla_ros.tensors.spec import TensorSpec


def plan_for(head: Head, outputs: tuple[TensorSpec, ...]) -> DecodePlan | None:
    """Plan for a head and tensors that a kernel knows; None for others."""
    plan = _plan(head, outputs)
    if plan is None or len(plan.maps) > MOST_SCALES:
        return None
    # Rows of an exported tensor lie along c or along h, and the kernel takes one step for them.
    is_folded = any(spec.dims[1] > 1 and spec.dims[2] > 1 for spec in outputs)
    return None if plan.is_transposed and is_folded else plan


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


def _of_ssd(head: Ssd) -> DecodePlan:
    scores, boxes = head.places
    rows = MapPlan(boxes, scores, 0, int(head.has_background), len(head.priors), 1)
    priors = Priors(
        head.priors, head.variances, head.box_order, head.has_background,
        head.activation == 'softmax',
    )  # fmt: skip
    is_sigmoid = head.activation == 'sigmoid'
    return DecodePlan(
        'ssd', (rows,), head.num_classes, 0, is_sigmoid, 0.0, is_transposed=True, priors=priors
    )


_MAKERS: dict[type, Callable[[Any], DecodePlan]] = {
    NanoDet: _of_nanodet,
    YoloX: _of_yolox,
    YoloV5: _of_yolov5,
    DetectNetV2: _of_detectnet_v2,
    CenterNet: _of_centernet,
    Ssd: _of_ssd,
}
