"""The grid of cells that a feature map lays over the network's picture."""

from dataclasses import dataclass
import math

from dla_ros.detections import Float32
from dla_ros.errors import HeadError
from dla_ros.tensors.spec import TensorSpec
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Grid:
    """Hold the size (height, width) of a feature map and the pixels from cell to cell."""

    height_width: tuple[int, int]
    stride: int

    @classmethod
    def between(cls, head: str, network_input: TensorSpec, output: TensorSpec) -> 'Grid':
        """Work the stride out of two sizes; raise HeadError if no one stride fits them."""
        ratio = network_input.dims[2] / output.dims[2]
        # Sizes that were rounded leave several strides possible; networks halve, step by step.
        for stride in (2 ** round(math.log2(ratio)), round(ratio)):
            grid = cls(output.height_width, int(stride))
            if grid.covers(network_input.height_width):
                return grid
        raise HeadError(
            f"head '{head}': output '{output.name}' of {_text(output.height_width)} cells "
            f'is not a grid over an input of {_text(network_input.height_width)} pixels; '
            'check that the record names the right head and outputs'
        )

    @property
    def cells(self) -> int:
        """Give the number of cells."""
        return self.height_width[0] * self.height_width[1]

    def covers(self, height_width: tuple[int, int]) -> bool:
        """Tell whether stepping through such a picture gives this grid (rounded up or down)."""
        return self.stride > 0 and all(
            cells in {pixels // self.stride, -(-pixels // self.stride)}
            for pixels, cells in zip(height_width, self.height_width, strict=True)
        )

    def corners(self, cells: 'NDArray[np.intp]') -> Float32:
        """Give column and row (n, 2) of cells numbered row by row."""
        rows, columns = np.divmod(cells, self.height_width[1])
        corners: Float32 = np.stack([columns, rows], axis=1).astype(np.float32)
        return corners

    def pixels(self, cells: 'NDArray[np.intp]', offset: float) -> Float32:
        """Give x, y (n, 2) in pixels of points ``offset`` cells from the cells' corners."""
        return (self.corners(cells) + np.float32(offset)) * np.float32(self.stride)


def _text(height_width: tuple[int, int]) -> str:
    return '{}x{}'.format(*height_width)
