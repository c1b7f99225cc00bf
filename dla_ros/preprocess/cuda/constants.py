"""What the kernel looks up: finished pixel values, and where pixels come from."""

from collections.abc import Sequence
from typing import Any

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.cuda.memory import copy_to_device
from dla_ros.devices.protocol import Stream
import numpy as np
from numpy.typing import NDArray

_ALIGNMENT = 16


class Constants:
    """
    Own the tables and axes of one slot on the device.

    The tables are written once, the axes for each new size of picture, in stream order.
    """

    def __init__(
        self, device: CudaDevice, tables: Sequence[NDArray[Any]], network: tuple[int, int]
    ) -> None:
        """Take memory and write the tables; ``network`` is (height, width)."""
        joined = np.concatenate([table.view(np.uint8) for table in tables])
        self._axes_offset = -(-joined.nbytes // _ALIGNMENT) * _ALIGNMENT
        nbytes = self._axes_offset + 4 * sum(network)
        self._pinned = device.pin(nbytes)
        self._there = device.allocate(nbytes)
        self._columns = 0
        self._pinned.host[: joined.nbytes] = joined
        stream = device.open_stream()
        copy_to_device(self._there.address, self._pinned.pointer, nbytes, stream)
        stream.close()

    @property
    def tables_address(self) -> int:
        """Give where the tables lie, channel after channel."""
        return self._there.address

    @property
    def columns_address(self) -> int:
        """Give where the axis of the columns lies; that of the rows follows."""
        return self._there.address + self._axes_offset

    @property
    def rows_address(self) -> int:
        """Give where the axis of the rows lies, which depends on the number of columns."""
        return self.columns_address + 4 * self._columns

    def put_axes(
        self, columns: NDArray[np.int32], rows: NDArray[np.int32], stream: Stream
    ) -> None:
        """Enqueue new axes; those before must have left the stream."""
        axes = np.concatenate([columns, rows])
        self._columns = len(columns)
        self._pinned.host[self._axes_offset :].view(np.int32)[: len(axes)] = axes
        source = self._pinned.pointer + self._axes_offset
        copy_to_device(self.columns_address, source, axes.nbytes, stream)

    def close(self) -> None:
        """Free the memory; a second call does nothing."""
        self._pinned.close()
        self._there.close()
