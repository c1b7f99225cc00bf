"""
NanoDet cut before its class and box split: one tensor a scale, classes first, then box bins.

Source: RangiLyu/nanodet, ``nanodet_head.py`` and ``gfl_head.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dla_ros.detections import Detections, Float32
from dla_ros.errors import HeadError
from dla_ros.heads.cuda.plan import DecodePlan, MapPlan
from dla_ros.heads.decoding import (
    every_class,
    expected_distances,
    from_sides,
    join,
    logit,
    sigmoid,
    to_candidates,
    unchecked,
)
from dla_ros.heads.grid import Grid
from dla_ros.heads.options import check_names, count, number
from dla_ros.heads.outputs import check_channels, check_count, classes_in
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec

NAME = 'nanodet'


@dataclass(frozen=True)
class NanoDet:
    """
    Read three (or four) tensors 1 x (classes + 4 * (reg_max + 1)) x h x w of logits.

    Options: ``reg_max``, the last bin (7 for NanoDet-m and -plus, 10 for NanoDet-g), or
    ``num_classes`` in its place; ``cell_offset``, where in a cell distances start (0.5; 0 for
    NanoDet-plus).
    """

    num_classes: int
    bins: int
    grids: tuple[Grid, ...]
    cell_offset: float

    @classmethod
    def open(
        cls, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
    ) -> 'NanoDet':
        """Work classes, bins and strides out of the sizes; raise HeadError if they do not fit."""
        check_names(NAME, options, ('reg_max', 'num_classes', 'cell_offset'))
        check_count(NAME, outputs, (3, 4))
        classes, bins = _split(outputs[0], options)
        for output in outputs:
            check_channels(NAME, output, classes + 4 * bins, f'{classes} classes, 4x{bins} bins')
        grids = tuple(Grid.between(NAME, network_input, output) for output in outputs)
        return cls(classes, bins, grids, number(NAME, options, 'cell_offset', 0.5))

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """Give each class of each cell that reaches the threshold."""
        with unchecked():
            threshold = logit(confidence_threshold)
            return join(
                [
                    self._decode_scale(output, grid, threshold)
                    for output, grid in zip(outputs, self.grids, strict=True)
                ]
            )

    def decode_plan(self, outputs: tuple[TensorSpec, ...]) -> DecodePlan:
        """Plan the kernel for these outputs."""
        maps = tuple(
            MapPlan.over(grid, i, i, self.num_classes, 0) for i, grid in enumerate(self.grids)
        )
        return DecodePlan(
            'nanodet', maps, self.num_classes, True, self.bins, offset=self.cell_offset
        )

    def _decode_scale(self, output: Float32, grid: Grid, threshold: float) -> Detections:
        maps = output.reshape(-1, grid.cells)
        classes, cells = every_class(maps[: self.num_classes], threshold)
        if not len(cells):
            return Detections.empty()
        sides = expected_distances(maps[self.num_classes :, cells], self.bins) * grid.stride
        boxes = from_sides(grid.pixels(cells, self.cell_offset), sides)
        return to_candidates(boxes, sigmoid(maps[classes, cells]), classes)


def _split(output: TensorSpec, options: Options) -> tuple[int, int]:
    """Give (classes, bins); channels alone do not tell one from the other."""
    channels = output.channels
    if 'reg_max' in options:
        bins = count(NAME, options, 'reg_max', 7) + 1
        meaning = f'classes and 4x{bins} bins'
        return classes_in(NAME, output, channels - 4 * bins, meaning), bins
    if 'num_classes' not in options:
        raise HeadError(
            f"head '{NAME}' cannot tell classes from box bins in the {channels} channels of "
            f"'{output.name}'; set its option reg_max (7 for NanoDet-m and -plus, 10 for "
            'NanoDet-g) in the record'
        )
    classes = count(NAME, options, 'num_classes', 80)
    if classes < 1 or channels - classes < 4 or (channels - classes) % 4:
        raise HeadError(
            f"head '{NAME}': {channels} channels of '{output.name}' less {classes} classes "
            'do not leave 4 equal box sides; check its option num_classes'
        )
    return classes, (channels - classes) // 4
