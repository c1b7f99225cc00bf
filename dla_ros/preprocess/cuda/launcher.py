"""The arguments of one slot's launches, packed once, and the launches themselves."""

import ctypes

from dla_ros.devices.cuda.program import Grid, Program
from dla_ros.preprocess.cuda.parameters import Parameters

BLOCK: Grid = (32, 8)  # pixels side by side share cache lines, rows below each other too


class Launcher:
    """
    Keep the parameters where the driver reads them, and launch over a rectangle.

    The driver copies them at the launch, so they may be changed right after it.
    """

    def __init__(self, program: Program) -> None:
        """Lay the array of pointers out once."""
        self._program = program
        self._block = BLOCK
        self.parameters = Parameters()
        self._pointers = (ctypes.c_void_p * 1)(ctypes.addressof(self.parameters))
        self._arguments = ctypes.addressof(self._pointers)
        self._kernel = ''
        self._grid: Grid = (0, 0)

    def aim(self, kernel: str, rows: tuple[int, int], columns: tuple[int, int]) -> None:
        """Choose the kernel and the rectangle (first, end) for the launches that follow."""
        told = self.parameters
        told.first_row, told.last_row = rows
        told.first_column, told.last_column = columns
        self._grid = (
            -(-(columns[1] - columns[0]) // self._block[0]),
            -(-(rows[1] - rows[0]) // self._block[1]),
        )
        self._kernel = kernel

    def launch(self, stream: int) -> None:
        """Enqueue one launch; raise DeviceError if the driver refuses."""
        self._program.launch(self._kernel, self._grid, self._block, self._arguments, stream)
