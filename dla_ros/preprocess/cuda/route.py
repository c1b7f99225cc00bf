"""What is the same for all pictures of one size and encoding on their way through the GPU."""

from dataclasses import dataclass

from dla_ros.images.encodings import Encoding, ENCODINGS
from dla_ros.images.image import ImageView
from dla_ros.preprocess.cuda.axis import is_mixed, needed, to_axis
from dla_ros.preprocess.cuda.family import Family
from dla_ros.preprocess.cuda.parameters import Parameters
from dla_ros.preprocess.letterbox import Letterbox
import numpy as np
from numpy.typing import NDArray

# Kernels that read a row on its own; chroma and mosaics need the rows around it too.
_BY_ROW = {'packed3', 'packed4', 'mono8', 'mono16', 'yuv422'}
WORTH_PICKING = 0.75  # of the rows; one large copy is faster than many small ones


@dataclass(frozen=True, eq=False)
class Route:
    """
    Hold letterbox, kernel and axes.

    ``picked`` are the source rows that the kernel needs, in order, where leaving the others out
    of the copy pays; the row axis then counts those. ``pitch`` is the bytes from row to row in
    the staging memory.
    """

    known: Encoding
    family: Family
    letterbox: Letterbox
    columns: NDArray[np.int32]
    rows: NDArray[np.int32]
    picked: NDArray[np.intp] | None
    pitch: int

    @classmethod
    def of(cls, image: ImageView, letterbox: Letterbox) -> 'Route':
        """Work it out for images like this one."""
        known = ENCODINGS[image.encoding]
        family = Family.of(known, image)
        height, width = letterbox.source
        columns, rows = to_axis(width, letterbox.width), to_axis(height, letterbox.height)
        pitch, picked = image.planes[0].strides[0], None
        # Only rows without a gap can be picked without copying the picture first.
        if family.kernel in _BY_ROW and pitch == width * known.pixel_bytes:
            kept, renumbered = needed(rows)
            if len(kept) <= WORTH_PICKING * height:
                picked, rows = kept, renumbered
        return cls(known, family, letterbox, columns, rows, picked, pitch)

    @property
    def staged_rows(self) -> int:
        """Give the rows of the first plane that are staged."""
        return len(self.picked) if self.picked is not None else self.letterbox.source[0]

    @property
    def nbytes(self) -> int:
        """Give the bytes of staging memory for one picture, second plane included."""
        rows = self.staged_rows
        return self.pitch * (rows + (rows // 2 if self.known.is_semi_planar else 0))

    def fill(self, parameters: Parameters, *, is_blue_first: bool) -> None:
        """Write what the kernel must know of the picture, all but addresses and rectangle."""
        box = self.letterbox
        parameters.step = self.pitch
        parameters.source_height, parameters.source_width = self.staged_rows, box.source[1]
        parameters.top, parameters.left = box.top, box.left
        parameters.height, parameters.width = box.height, box.width
        parameters.place[:] = self.family.place
        parameters.is_blue_first = is_blue_first
        parameters.is_mixed = is_mixed(self.rows, self.columns)
