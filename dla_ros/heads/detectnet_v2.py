"""
DetectNet_v2 (TAO: PeopleNet, TrafficCamNet, ...): a coverage and a box for each cell and class.

Source: NVIDIA TAO toolkit and DeepStream, ``nvdsinfer_customparser`` for ResNet detectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dla_ros.detections import Detections, Float32
from dla_ros.heads.cuda.plan import DecodePlan, MapPlan
from dla_ros.heads.decoding import (
    every_class,
    from_sides,
    logit,
    sigmoid,
    to_candidates,
    unchecked,
)
from dla_ros.heads.grid import Grid
from dla_ros.heads.options import ACTIVATIONS, check_names, choice, number
from dla_ros.heads.outputs import check_channels, check_count, classes_in, in_order
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec
import numpy as np

NAME = 'detectnet_v2'
KNOWN = ('box_scale', 'box_offset', 'activation', 'outputs')


@dataclass(frozen=True)
class DetectNetV2:
    """
    Read coverage 1 x classes x h x w and boxes 1 x (4 * classes) x h x w; the smaller is coverage.

    A box is four distances from a point ``box_offset`` pixels (0.5) into its cell, in units of
    ``box_scale`` pixels (35). Option ``activation``: what is still to be applied to the coverage
    (none: TAO's models end in a sigmoid; sigmoid: cut before it).
    """

    num_classes: int
    grid: Grid
    box_scale: float
    box_offset: float
    needs_sigmoid: bool
    places: tuple[int, ...]

    @classmethod
    def open(
        cls, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
    ) -> 'DetectNetV2':
        """Find which output is which; raise HeadError if their sizes do not fit."""
        check_names(NAME, options, KNOWN)
        check_count(NAME, outputs, (2,))
        places = in_order(NAME, outputs, options)
        if 'outputs' not in options:
            places.sort(key=lambda place: outputs[place].channels)
        coverage, boxes = (outputs[place] for place in places)
        classes = classes_in(NAME, coverage, coverage.channels, 'one coverage a class')
        check_channels(NAME, boxes, 4 * classes, f'4 box sides for {classes} classes')
        grids = [Grid.between(NAME, network_input, output) for output in (coverage, boxes)]
        return cls(
            classes,
            grids[0],
            number(NAME, options, 'box_scale', 35.0),
            number(NAME, options, 'box_offset', 0.5),
            choice(NAME, options, 'activation', ACTIVATIONS, 'none') == 'sigmoid',
            tuple(places),
        )

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """Give each class of each cell whose coverage reaches the threshold."""
        with unchecked():
            threshold = logit(confidence_threshold) if self.needs_sigmoid else confidence_threshold
            coverage, boxes = (
                outputs[place].reshape(-1, self.grid.cells) for place in self.places
            )
            classes, cells = every_class(coverage, threshold)
            sides = boxes.reshape(self.num_classes, 4, -1)[classes, :, cells]
            points = self.grid.pixels(cells, self.box_offset / self.grid.stride)
            scores = coverage[classes, cells]
            xyxy = from_sides(points, sides * np.float32(self.box_scale))
            return to_candidates(xyxy, sigmoid(scores) if self.needs_sigmoid else scores, classes)

    def decode_plan(self, outputs: tuple[TensorSpec, ...]) -> DecodePlan:
        """Plan the kernel for these outputs."""
        coverage, boxes = self.places
        return DecodePlan(
            'detectnet_v2',
            (MapPlan.over(self.grid, boxes, coverage, 0, 0),),
            self.num_classes,
            self.needs_sigmoid,
            offset=self.box_offset / self.grid.stride,
            numbers=(self.box_scale,),
        )
