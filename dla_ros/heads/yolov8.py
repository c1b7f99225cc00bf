"""
YOLOv8 and its kin (YOLO11, YOLO12): boxes without objectness.

Source: ultralytics, ``nn/modules/head.py`` (Detect), ``utils/tal.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dla_ros.detections import Detections, Float32
from dla_ros.errors import HeadError
from dla_ros.heads.cuda.plan import DecodePlan, MapPlan
from dla_ros.heads.decoding import (
    best_class,
    expected_distances,
    from_centres,
    from_sides,
    join,
    logit,
    sigmoid,
    to_candidates,
    unchecked,
)
from dla_ros.heads.grid import Grid
from dla_ros.heads.options import ACTIVATIONS, check_names, choice, count
from dla_ros.heads.outputs import check_channels, check_count, classes_in, describe, Specs
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec

NAME = 'yolov8'
CELL_CENTRE = 0.5


@dataclass(frozen=True)
class Scale:
    """Say where one scale's box bins and class scores lie among the outputs."""

    grid: Grid
    boxes: int
    classes: int


@dataclass(frozen=True)
class YoloV8:
    """
    Read the exported tensor 1 x (4 + classes) x N, or the maps before its decoding.

    Maps are three tensors 1 x (4 * reg_max + classes) x h x w, or six with boxes and classes
    apart; they hold logits, the exported tensor holds scores. Options: ``reg_max`` (16 bins a
    side), ``activation`` (none or sigmoid: what is still to be applied to the scores).
    """

    num_classes: int
    scales: tuple[Scale, ...]
    bins: int
    needs_sigmoid: bool

    @classmethod
    def open(cls, network_input: TensorSpec, outputs: Specs, options: Options) -> 'YoloV8':
        """Tell the three forms apart by their number; raise HeadError if sizes do not fit."""
        check_names(NAME, options, ('reg_max', 'activation'))
        check_count(NAME, outputs, (1, 3, 6))
        bins = count(NAME, options, 'reg_max', 16, least=1)
        one = len(outputs) == 1
        activation = choice(NAME, options, 'activation', ACTIVATIONS, 'none' if one else 'sigmoid')
        if one:
            meaning = '4 box numbers and the classes'
            classes = classes_in(NAME, outputs[0], outputs[0].channels - 4, meaning)
            return cls(classes, (), bins, activation == 'sigmoid')
        classes, scales = _scales(network_input, outputs, bins)
        return cls(classes, scales, bins, activation == 'sigmoid')

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """Give the best class of each place whose score reaches the threshold."""
        with unchecked():
            threshold = logit(confidence_threshold) if self.needs_sigmoid else confidence_threshold
            if not self.scales:
                return self._decode_rows(outputs[0], threshold)
            return join([self._decode_scale(outputs, scale, threshold) for scale in self.scales])

    def decode_plan(self, outputs: Specs) -> DecodePlan:
        """Plan the kernel for these outputs."""
        if not self.scales:
            height, width = outputs[0].height_width
            rows = MapPlan(0, 0, 0, 4, height * width, width)
            return DecodePlan('yolov8', (rows,), self.num_classes, self.needs_sigmoid)
        maps = tuple(
            MapPlan.over(
                scale.grid, scale.boxes, scale.classes, 0,
                4 * self.bins if scale.boxes == scale.classes else 0,
            )
            for scale in self.scales
        )  # fmt: skip
        return DecodePlan(
            'yolov8', maps, self.num_classes, self.needs_sigmoid, self.bins, offset=CELL_CENTRE
        )

    def _decode_rows(self, output: Float32, threshold: float) -> Detections:
        rows = output.reshape(4 + self.num_classes, -1)
        classes, places = best_class(rows[4:], threshold)
        boxes = from_centres(rows[:2, places].T, rows[2:4, places].T)
        return to_candidates(boxes, self._scores(rows[4 + classes, places]), classes)

    def _decode_scale(
        self, outputs: Sequence[Float32], scale: Scale, threshold: float
    ) -> Detections:
        logits = outputs[scale.classes].reshape(-1, scale.grid.cells)[-self.num_classes :]
        classes, cells = best_class(logits, threshold)
        if not len(cells):
            return Detections.empty()
        bins = outputs[scale.boxes].reshape(-1, scale.grid.cells)[: 4 * self.bins, cells]
        sides = expected_distances(bins, self.bins) * scale.grid.stride
        boxes = from_sides(scale.grid.pixels(cells, CELL_CENTRE), sides)
        return to_candidates(boxes, self._scores(logits[classes, cells]), classes)

    def _scores(self, values: Float32) -> Float32:
        return sigmoid(values) if self.needs_sigmoid else values


def _scales(network_input: TensorSpec, outputs: Specs, bins: int) -> tuple[int, tuple[Scale, ...]]:
    pairs = _pairs(outputs, 4 * bins)
    together = len(outputs) == len(pairs)
    taken = 4 * bins if together else 0
    first = outputs[pairs[0][1]]
    classes = classes_in(NAME, first, first.channels - taken, f'4x{bins} bins and the classes')
    for _, place in pairs:
        check_channels(NAME, outputs[place], classes + taken, f'{classes} classes')
    return classes, tuple(
        Scale(Grid.between(NAME, network_input, outputs[boxes]), boxes, scores)
        for boxes, scores in pairs
    )


def _pairs(outputs: Specs, box_channels: int) -> list[tuple[int, int]]:
    """Give (place of boxes, place of classes) for each scale; equal sizes belong together."""
    sizes: dict[tuple[int, int], list[int]] = {}
    for place, output in enumerate(outputs):
        sizes.setdefault(output.height_width, []).append(place)
    if len(sizes) == len(outputs):
        return [(place, place) for place in range(len(outputs))]
    pairs = []
    for places in sizes.values():
        places.sort(key=lambda place: outputs[place].channels != box_channels)
        if len(places) != 2 or outputs[places[0]].channels != box_channels:
            raise HeadError(
                f"head '{NAME}' needs boxes ({box_channels} channels) and classes for each "
                f'scale; the network has: {describe(outputs)}'
            )
        pairs.append((places[0], places[1]))
    return pairs
