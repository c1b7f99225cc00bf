"""
YOLOv5 (and YOLOv7) before its decoding: three raw maps with anchors.

Source: ultralytics/yolov5, ``models/yolo.py`` (Detect) and ``models/yolov5s.yaml``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dla_ros.detections import Detections, Float32
from dla_ros.errors import HeadError
from dla_ros.heads.cuda.plan import DecodePlan, MapPlan
from dla_ros.heads.decoding import (
    best_class,
    from_centres,
    join,
    logit,
    sigmoid,
    to_candidates,
    unchecked,
)
from dla_ros.heads.grid import Grid
from dla_ros.heads.options import check_names
from dla_ros.heads.outputs import check_channels, check_count, classes_in
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec
import numpy as np

NAME = 'yolov5'
BOX = 4
LEAD = 5
COCO_ANCHORS = (
    (10, 13, 16, 30, 33, 23),
    (30, 61, 62, 45, 59, 119),
    (116, 90, 156, 198, 373, 326),
)


@dataclass(frozen=True, eq=False)
class YoloV5:
    """
    Read one tensor 1 x (anchors * (5 + classes)) x h x w of logits for each scale.

    Option ``anchors`` lists, for each scale from the finest, its anchors' widths and heights in
    pixels (w, h, w, h, ...) as YOLOv5's own yaml files do; the default are those of its COCO
    models. Their number says how many outputs there must be.
    """

    num_classes: int
    grids: tuple[Grid, ...]
    anchors: tuple[Float32, ...]

    @classmethod
    def open(
        cls, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
    ) -> 'YoloV5':
        """Give each map its anchors by its stride; raise HeadError if sizes do not fit."""
        check_names(NAME, options, ('anchors',))
        anchors = _anchors(options.get('anchors', COCO_ANCHORS))
        check_count(NAME, outputs, (len(anchors),))
        each, rest = divmod(outputs[0].channels, len(anchors[0]))
        if rest:
            raise HeadError(
                f"head '{NAME}': {outputs[0].channels} channels of '{outputs[0].name}' are not "
                f'a multiple of its {len(anchors[0])} anchors; check the option anchors'
            )
        meaning = f'{len(anchors[0])} x (box (4), objectness and classes)'
        classes = classes_in(NAME, outputs[0], each - LEAD, meaning)
        grids = tuple(Grid.between(NAME, network_input, output) for output in outputs)
        finest = sorted(grid.stride for grid in grids)
        own = tuple(anchors[finest.index(grid.stride)] for grid in grids)
        for output, sizes in zip(outputs, own, strict=True):
            check_channels(NAME, output, len(sizes) * each, f'{len(sizes)} anchors x {each}')
        return cls(classes, grids, own)

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """Give the best class of each anchor whose score reaches the threshold."""
        with unchecked():
            return join(
                [
                    self._decode_anchor(maps, grid, anchor, confidence_threshold)
                    for output, grid, anchors in zip(
                        outputs, self.grids, self.anchors, strict=True
                    )
                    for maps, anchor in zip(
                        output.reshape(len(anchors), -1, grid.cells), anchors, strict=True
                    )
                ]
            )

    def decode_plan(self, outputs: tuple[TensorSpec, ...]) -> DecodePlan:
        """Plan the kernel for these outputs."""
        each = LEAD + self.num_classes
        maps = tuple(
            MapPlan.over(grid, i, i, a * each, a * each + LEAD, numbers=tuple(map(float, anchor)))
            for i, (grid, anchors) in enumerate(zip(self.grids, self.anchors, strict=True))
            for a, anchor in enumerate(anchors)
        )
        return DecodePlan('yolov5', maps, self.num_classes, True)

    def _decode_anchor(
        self, maps: Float32, grid: Grid, anchor: Float32, confidence: float
    ) -> Detections:
        near = np.flatnonzero(maps[BOX] >= np.float32(logit(confidence)))
        if not len(near):
            return Detections.empty()
        values = sigmoid(maps[:, near])
        scores = values[LEAD:] * values[BOX]
        classes, chosen = best_class(scores, confidence)
        box = values[:BOX, chosen].T
        shift = np.float32(2) * box[:, :2] - np.float32(0.5)
        centres = (grid.corners(near[chosen]) + shift) * np.float32(grid.stride)
        sizes = (np.float32(2) * box[:, 2:]) ** 2 * anchor
        return to_candidates(from_centres(centres, sizes), scores[classes, chosen], classes)


def _anchors(option: Any) -> tuple[Float32, ...]:
    try:
        scales = tuple(np.asarray(scale, np.float32).reshape(-1, 2) for scale in option)
    except (TypeError, ValueError) as err:
        scales = ()
        reason = f' ({err})'
    else:
        reason = ''
    if not scales or not all(len(scale) and (scale > 0).all() for scale in scales):
        raise HeadError(
            f"head '{NAME}': option anchors is {option!r}{reason}; it should list widths and "
            'heights above 0 for each scale, such as [[10, 13, 16, 30], [30, 61, 62, 45]]'
        )
    return scales
