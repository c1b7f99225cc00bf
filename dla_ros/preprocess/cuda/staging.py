"""The pictures' way to where the kernel reads them."""

import ctypes

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.cuda.memory import copy_to_device, CudaBuffer, PinnedMemory
from dla_ros.devices.protocol import Stream
from dla_ros.images.image import ImageView
from dla_ros.preprocess.cuda.route import Route
import numpy as np


class Staging:
    """
    Own pinned memory, and on a discrete GPU its copy there, large enough for the largest picture.

    On an integrated GPU the kernel reads the pinned memory itself. One picture at a time: the
    last one must have left the stream. ``copied_bytes`` counts what crossed to the device.
    """

    def __init__(self, device: CudaDevice) -> None:
        """Take nothing yet: the size of the pictures is not known."""
        self._device = device
        self._pinned: PinnedMemory | None = None
        self._there: CudaBuffer | None = None
        self.copied_bytes = 0

    @property
    def address(self) -> int:
        """Give where the kernel finds the picture."""
        assert self._pinned is not None
        return self._pinned.address if self._there is None else self._there.address

    def reserve(self, nbytes: int) -> None:
        """Make room for pictures of ``nbytes``; raise DeviceError if there is no memory."""
        if self._pinned is not None and self._pinned.nbytes >= nbytes:
            return
        self.close()
        self._pinned = self._device.pin(nbytes)
        if not self._device.is_integrated:
            self._there = self._device.allocate(nbytes)

    def put(self, image: ImageView, route: Route, stream: Stream) -> None:
        """Copy what the kernel needs of a picture, GIL released, and enqueue its way over."""
        assert self._pinned is not None
        if route.picked is not None:
            self._pick(image, route)
        else:
            self._copy_whole(image, route)
        if self._there is not None:
            copy_to_device(self._there.address, self._pinned.pointer, route.nbytes, stream)
            self.copied_bytes += route.nbytes

    def close(self) -> None:
        """Free the memory; a second call does nothing."""
        for memory in (self._pinned, self._there):
            if memory is not None:
                memory.close()
        self._pinned = self._there = None

    def _pick(self, image: ImageView, route: Route) -> None:
        assert self._pinned is not None
        assert route.picked is not None
        first = image.planes[0].reshape(image.height, -1).view(np.uint8)
        target = self._pinned.host[: route.nbytes].reshape(-1, route.pitch)
        # 'clip' lets NumPy write straight into ``out``; every index is within.
        np.take(first, route.picked, axis=0, out=target, mode='clip')

    def _copy_whole(self, image: ImageView, route: Route) -> None:
        assert self._pinned is not None
        place = self._pinned.pointer
        for plane in image.planes:
            ctypes.memmove(place, plane.ctypes.data, _extent(plane))
            place += route.pitch * image.height


def _extent(plane: 'np.ndarray[tuple[int, ...], np.dtype[np.generic]]') -> int:
    """Give the bytes from the first to the last element: what lies behind the last is not ours."""
    inner = sum((n - 1) * step for n, step in zip(plane.shape, plane.strides, strict=True))
    return inner + plane.itemsize
