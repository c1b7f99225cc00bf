"""One thing in a scene: what it looks like and how it moves."""

from dataclasses import dataclass

from dla_ros.detections import Float32
from dla_ros.scene.colours import RGB
import numpy as np
from numpy.typing import NDArray

KINDS = ('square', 'disc')


@dataclass(frozen=True)
class Shape:
    """
    Describe a shape that moves to and fro inside a pen of its own, so that shapes never meet.

    Lengths are in cells: ``side``; ``pen_top``, ``pen_left``, ``room`` (the height and width the
    shape can move by), ``phase`` (where it is at frame 0). ``class_id`` is None for distractors.
    """

    kind: str
    colour: RGB
    class_id: 'int | None'
    side: int
    pen_top: int
    pen_left: int
    room: tuple[int, int]
    phase: tuple[int, int]

    def box(self, index: int, cell: int) -> Float32:
        """Give xyxy in pixels at a frame, with cells of so many pixels."""
        top = self.pen_top + _swing(index + self.phase[0], self.room[0])
        left = self.pen_left + _swing(index + self.phase[1], self.room[1])
        corners = [left, top, left + self.side, top + self.side]
        return np.array(corners, np.float32) * np.float32(cell)

    def paint(self, picture: 'NDArray[np.uint8]', index: int, cell: int) -> None:
        """Draw into an RGB picture (h, w, 3) at a frame; a shape touches all sides of its box."""
        left, top, right, bottom = self.box(index, cell).astype(int)
        inside = self.mask(right - left)
        picture[top:bottom, left:right][inside] = self.colour

    def mask(self, side: int) -> 'NDArray[np.bool_]':
        """Give which of side x side pixels belong to the shape."""
        if self.kind == 'square':
            return np.ones((side, side), np.bool_)
        offsets = np.arange(side) + 0.5 - side / 2
        result: NDArray[np.bool_] = np.hypot(*np.meshgrid(offsets, offsets)) <= side / 2
        return result


def _swing(step: int, room: int) -> int:
    """Give 0, 1, ... room, room - 1, ... 0, 1, ... for growing steps."""
    turn = step % (2 * room) if room else 0
    return min(turn, 2 * room - turn)
