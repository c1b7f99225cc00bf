"""
YOLOX: box, objectness and classes for each cell, without anchors.

Source: Megvii-BaseDetection/YOLOX, ``yolo_head.py`` and ``demo_postprocess``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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
from dla_ros.heads.options import ACTIVATIONS, check_names, choice, counts
from dla_ros.heads.outputs import check_channels, check_count, classes_in
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec
import numpy as np

NAME = 'yolox'
BOX = 4
LEAD = 5


@dataclass(frozen=True)
class YoloX:
    """
    Read the exported tensor 1 x N x (5 + classes), or three maps 1 x (5 + classes) x h x w.

    The exported tensor holds scores, the cut maps hold logits; option ``activation`` (none or
    sigmoid: what is still to be applied) says otherwise. Option ``strides`` ([8, 16, 32]) is for
    the exported tensor, whose rows run scale by scale; maps tell their strides themselves.
    """

    num_classes: int
    grids: tuple[Grid, ...]
    is_one_tensor: bool
    needs_sigmoid: bool

    @classmethod
    def open(
        cls, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
    ) -> 'YoloX':
        """Tell the two forms apart by their number; raise HeadError if sizes do not fit."""
        check_names(NAME, options, ('activation', 'strides'))
        check_count(NAME, outputs, (1, 3))
        one = len(outputs) == 1
        activation = choice(NAME, options, 'activation', ACTIVATIONS, 'none' if one else 'sigmoid')
        values = outputs[0].dims[3] if one else outputs[0].channels
        classes = classes_in(NAME, outputs[0], values - LEAD, 'box (4), objectness and classes')
        strides = counts(NAME, options, 'strides', (8, 16, 32))
        if one:
            grids = _grids(network_input, outputs[0], strides)
        else:
            for output in outputs:
                check_channels(NAME, output, values, f'box, objectness, {classes} classes')
            grids = tuple(Grid.between(NAME, network_input, output) for output in outputs)
        return cls(classes, grids, one, activation == 'sigmoid')

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """Give the best class of each cell whose score reaches the threshold."""
        with unchecked():
            return join(
                [
                    self._decode_scale(maps, grid, confidence_threshold)
                    for maps, grid in zip(self._scales(outputs), self.grids, strict=True)
                ]
            )

    def decode_plan(self, outputs: tuple[TensorSpec, ...]) -> DecodePlan:
        """Plan the kernel for these outputs."""
        places = [0 if self.is_one_tensor else i for i in range(len(self.grids))]
        firsts = np.cumsum([0, *(grid.cells for grid in self.grids)]) * self.is_one_tensor
        maps = tuple(
            MapPlan.over(grid, place, place, 0, LEAD, first_cell=int(first))
            for grid, place, first in zip(self.grids, places, firsts, strict=False)
        )
        return DecodePlan(
            'yolox', maps, self.num_classes, self.needs_sigmoid, is_transposed=self.is_one_tensor
        )

    def _scales(self, outputs: Sequence[Float32]) -> list[Float32]:
        if not self.is_one_tensor:
            return [output.reshape(LEAD + self.num_classes, -1) for output in outputs]
        rows = outputs[0].reshape(-1, LEAD + self.num_classes)
        ends = np.cumsum([grid.cells for grid in self.grids])[:-1]
        return [part.T for part in np.split(rows, ends)]

    def _decode_scale(self, maps: Float32, grid: Grid, confidence: float) -> Detections:
        # A class is never surer than the objectness, so that alone leaves most cells out.
        threshold = logit(confidence) if self.needs_sigmoid else confidence
        near = np.flatnonzero(maps[BOX] >= np.float32(threshold))
        scores = maps[BOX:, near]
        if self.needs_sigmoid:
            scores = sigmoid(scores)
        classes, chosen = best_class(scores[1:] * scores[0], confidence)
        cells = near[chosen]
        sizes = np.exp(maps[2:BOX, cells].T) * grid.stride
        centres = (grid.corners(cells) + maps[:2, cells].T) * np.float32(grid.stride)
        score = scores[1 + classes, chosen] * scores[0, chosen]
        return to_candidates(from_centres(centres, sizes), score, classes)


def _grids(
    network_input: TensorSpec, output: TensorSpec, strides: Sequence[int]
) -> tuple[Grid, ...]:
    height, width = network_input.height_width
    grids = tuple(Grid((height // stride, width // stride), stride) for stride in strides)
    rows, cells = output.dims[1] * output.dims[2], sum(grid.cells for grid in grids)
    if rows != cells:
        raise HeadError(
            f"head '{NAME}': output '{output.name}' has {rows} rows, strides {list(strides)} on "
            f'{height}x{width} pixels give {cells}; check the option strides and the input size'
        )
    return grids
