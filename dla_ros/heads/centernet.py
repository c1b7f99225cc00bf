"""
CenterNet: objects as peaks of a heatmap, with their size and a shift within the cell.

Source: Zhou et al., Objects as Points (arXiv:1904.07850); xingyizhou/CenterNet, ``decode.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dla_ros.detections import Detections, Float32
from dla_ros.errors import HeadError
from dla_ros.heads.cuda.plan import DecodePlan, MapPlan
from dla_ros.heads.decoding import (
    every_class,
    from_centres,
    Indices,
    logit,
    sigmoid,
    to_candidates,
    unchecked,
)
from dla_ros.heads.grid import Grid
from dla_ros.heads.options import ACTIVATIONS, check_names, choice
from dla_ros.heads.outputs import check_channels, check_count, classes_in, in_order
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec
import numpy as np
from numpy.typing import NDArray

NAME = 'centernet'
AROUND = tuple((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1))


@dataclass(frozen=True)
class CenterNet:
    """
    Read heatmap 1 x classes x h x w, size 1 x 2 x h x w and shift 1 x 2 x h x w, in this order.

    Sizes (width, height) and shifts (x, y) are in cells. Options: ``activation``, what is still
    to be applied to the heatmap (sigmoid; none where the network ends in one); ``outputs``, the
    three names where the order differs.
    """

    num_classes: int
    grid: Grid
    needs_sigmoid: bool
    places: tuple[int, ...]

    @classmethod
    def open(
        cls, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
    ) -> 'CenterNet':
        """Take classes and stride from the heatmap; raise HeadError if the others do not fit."""
        check_names(NAME, options, ('activation', 'outputs'))
        check_count(NAME, outputs, (3,))
        places = tuple(in_order(NAME, outputs, options))
        heatmap, size, shift = (outputs[place] for place in places)
        check_channels(NAME, size, 2, 'width and height')
        check_channels(NAME, shift, 2, 'shift in x and y')
        grids = {Grid.between(NAME, network_input, output) for output in outputs}
        if len(grids) != 1:
            raise HeadError(
                f"head '{NAME}' needs its outputs on one grid; they are {heatmap}, {size}, {shift}"
            )
        classes = classes_in(NAME, heatmap, heatmap.channels, 'one map a class')
        needs_sigmoid = choice(NAME, options, 'activation', ACTIVATIONS, 'sigmoid') == 'sigmoid'
        return cls(classes, grids.pop(), needs_sigmoid, places)

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """Give each peak of each class that reaches the threshold."""
        with unchecked():
            threshold = logit(confidence_threshold) if self.needs_sigmoid else confidence_threshold
            heatmap, size, shift = (outputs[place][0] for place in self.places)
            classes, cells = every_class(heatmap.reshape(self.num_classes, -1), threshold)
            if not len(cells):
                return Detections.empty()  # most frames of most cameras
            is_peak = _are_peaks(heatmap, classes, cells)
            classes, cells = classes[is_peak], cells[is_peak]
            values = heatmap.reshape(self.num_classes, -1)[classes, cells]
            stride = np.float32(self.grid.stride)
            centres = (self.grid.corners(cells) + shift.reshape(2, -1)[:, cells].T) * stride
            xyxy = from_centres(centres, size.reshape(2, -1)[:, cells].T * stride)
            return to_candidates(xyxy, sigmoid(values) if self.needs_sigmoid else values, classes)

    def decode_plan(self, outputs: tuple[TensorSpec, ...]) -> DecodePlan:
        """Plan the kernel for these outputs."""
        heatmap, size, shift = self.places
        only = MapPlan.over(self.grid, size, heatmap, 0, 0, third=shift)
        return DecodePlan('centernet', (only,), self.num_classes, self.needs_sigmoid)


def _are_peaks(heatmap: Float32, classes: Indices, cells: Indices) -> 'NDArray[np.bool_]':
    """Tell which cells are no lower than their eight neighbours, looking at no others."""
    height, width = heatmap.shape[1:]
    rows, columns = np.divmod(cells, width)
    # At an edge a neighbour stands in for the one that is not there.
    around = [
        heatmap[classes, np.clip(rows + y, 0, height - 1), np.clip(columns + x, 0, width - 1)]
        for y, x in AROUND
    ]
    result: NDArray[np.bool_] = heatmap[classes, rows, columns] >= np.fmax.reduce(around)
    return result
