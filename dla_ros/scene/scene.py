"""A picture of coloured shapes that move, with the boxes they are in."""

from dataclasses import dataclass

from dla_ros.detections import Detections
from dla_ros.scene.colours import CLASSES, DISTRACTORS
from dla_ros.scene.shape import KINDS, Shape
import numpy as np
from numpy.typing import NDArray

RgbImage = NDArray[np.uint8]

SIDES = (3, 5, 7)  # cells; odd, so that a shape has a cell in its middle
PEN = 9  # cells: the largest shape, a free cell beside it and room to move
BACKGROUND = (24, 72)  # grey levels, too dark for any class


@dataclass(frozen=True)
class Scene:
    """
    Hold shapes on a dark, noisy background; every frame follows from its number alone.

    All boxes lie on a grid of ``cell`` pixels, so that a network whose stride is one cell can
    give them exactly. Labels are the names in ``CLASSES``, in that order.
    """

    seed: int
    height_width: tuple[int, int]
    cell: int
    shapes: tuple[Shape, ...]

    @classmethod
    def open(
        cls,
        seed: int,
        height_width: tuple[int, int],
        *,
        cell: int = 8,
        labels: tuple[str, ...] = tuple(CLASSES),
        distractors: bool = True,
    ) -> 'Scene':
        """
        Choose shapes at random for a picture of this size, one for each 9 x 9 cells.

        ``cell`` is in pixels of this picture: the network's stride times how much larger the
        picture is than the network's input. Raise ValueError if not even one shape fits.
        """
        rows, columns = (size // cell // PEN for size in height_width)
        if rows < 1 or columns < 1:
            raise ValueError(
                f'a picture of {height_width} has no room for a shape; it needs {PEN * cell} '
                f'pixels each way with cells of {cell} pixels'
            )
        random = np.random.default_rng(seed)
        looks = [(CLASSES[label], list(CLASSES).index(label)) for label in labels]
        others = [(colour, None) for colour in DISTRACTORS.values()] if distractors else []
        shapes = tuple(
            _choose(random, [*looks, *others], row * PEN, column * PEN)
            for row in range(rows)
            for column in range(columns)
        )
        return cls(seed, height_width, cell, shapes)

    def frame(self, index: int) -> tuple[RgbImage, Detections]:
        """Give picture ``index`` (height, width, 3 as RGB) and what is to be found in it."""
        random = np.random.default_rng((self.seed, index))
        grey = random.integers(*BACKGROUND, self.height_width, np.uint8)
        picture = np.repeat(grey[:, :, None], 3, axis=2)
        for shape in self.shapes:
            shape.paint(picture, index, self.cell)
        return picture, self.truth(index)

    def truth(self, index: int) -> Detections:
        """Give the boxes of a frame, with score 1, in the order of the shapes."""
        seen = [shape for shape in self.shapes if shape.class_id is not None]
        return Detections(
            np.array([shape.box(index, self.cell) for shape in seen], np.float32).reshape(-1, 4),
            np.ones(len(seen), np.float32),
            np.array([shape.class_id for shape in seen], np.int32),
        )


def _choose(
    random: np.random.Generator,
    looks: 'list[tuple[tuple[int, int, int], int | None]]',
    top: int,
    left: int,
) -> Shape:
    colour, class_id = looks[random.integers(len(looks))]
    side = int(random.choice(SIDES))
    room = PEN - 1 - side
    return Shape(
        kind=KINDS[random.integers(len(KINDS))],
        colour=colour,
        class_id=class_id,
        side=side,
        pen_top=top,
        pen_left=left,
        room=(room, room),
        phase=(int(random.integers(2 * room)), int(random.integers(2 * room))),
    )
