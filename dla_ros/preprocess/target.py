"""How looked-up pixels get into their place, for each kind of layout."""

from collections.abc import Sequence
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[Any]

# OpenCV's LUT knows no float16: elements travel as integers of their size. float32 it knows.
_CARRIER: dict[int, type[np.generic]] = {1: np.uint8, 2: np.uint16, 4: np.float32}
# One pixel of four channels, moved in one piece: 4 bytes of int8, 8 of fp16.
_PIECE: dict[int, type[np.generic]] = {1: np.uint32, 2: np.uint64}
PIXEL_CHANNELS = 4


class Target(Protocol):
    """Write planes of pixels into one rectangle of one buffer."""

    def write(self, planes: Sequence[Plane]) -> None:
        """Look up and place ``planes``: uint8 (height, width), in the network's order."""


def to_carrier(array: Plane) -> Plane:
    """View elements as a type whose bits OpenCV moves untouched."""
    return array.view(_CARRIER[array.itemsize])


class PlanarTarget:
    """Look pixels up straight into the network's own planes, each (height, width)."""

    def __init__(self, planes: Sequence[Plane], tables: Sequence[Plane]) -> None:
        """Keep each plane beside its table."""
        self._steps = list(zip(tables, planes, strict=True))

    def write(self, planes: Sequence[Plane]) -> None:
        """Write each plane in one call."""
        for pixels, (table, plane) in zip(planes, self._steps, strict=True):
            cv2.LUT(pixels, table, dst=plane)


class PixelTarget:
    """Look pixels up plane by plane, then interleave them, zeros behind, into (h, w, 4)."""

    def __init__(self, content: Plane, tables: Sequence[Plane]) -> None:
        """Take memory for the looked-up planes."""
        self._content = content
        self._planes = [np.zeros(content.shape[:2], content.dtype) for _ in range(PIXEL_CHANNELS)]
        self._looked_up = PlanarTarget(self._planes[: len(tables)], tables)

    def write(self, planes: Sequence[Plane]) -> None:
        """Write all four channels of each pixel."""
        self._looked_up.write(planes)
        cv2.merge(self._planes, dst=self._content)


class GroupTarget:
    """
    Interleave as PixelTarget does, then move each pixel into its 32-byte group, (h, w, g).

    Only the first four channels of a group are written; the others are the canvas's to clear.
    """

    def __init__(self, content: Plane, tables: Sequence[Plane]) -> None:
        """Take memory for the interleaved picture."""
        height, width, _ = content.shape
        pixels = np.empty((height, width, PIXEL_CHANNELS), content.dtype)
        piece = _PIECE[content.itemsize]
        self._interleaved = PixelTarget(pixels, tables)
        self._pieces = pixels.view(piece)[:, :, 0]
        self._groups = content[:, :, :PIXEL_CHANNELS].view(piece)[:, :, 0]

    def write(self, planes: Sequence[Plane]) -> None:
        """Write 4 (int8) or 8 (fp16) bytes of each group."""
        self._interleaved.write(planes)
        np.copyto(self._groups, self._pieces)
