"""Heads of other packages that decode on the GPU, in CuPy."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

from dla_ros.heads.protocol import Head


class GpuHead(Head, Protocol):
    """
    Read outputs where they are: with ``device: cuda`` they never reach the CPU.

    The heads of this package have kernels of their own and are not asked. With ``device: host``
    the same head's ``decode`` is called, so it must have both.
    """

    def decode_on_gpu(
        self, outputs: Sequence[Any], confidence_threshold: float
    ) -> tuple[Any, Any, Any]:
        """
        Give boxes (n, 4), scores (n,) and class indices (n,) as CuPy arrays.

        ``outputs`` are CuPy arrays, float32 (n, c, h, w); the current stream is the slot's. The
        rest is as with :meth:`Head.decode`.
        """


def is_gpu_head(head: Head) -> TypeGuard[GpuHead]:
    """Tell whether a head decodes in CuPy."""
    return hasattr(head, 'decode_on_gpu')
