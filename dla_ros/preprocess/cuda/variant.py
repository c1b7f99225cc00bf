"""For which kind of tensor the kernels are compiled."""

from collections.abc import Iterator
from dataclasses import dataclass

from dla_ros.errors import TensorError
from dla_ros.tensors.format import Layout
from dla_ros.tensors.spec import ALLOWED_TYPES, ATOM, TensorSpec

_TARGETS = {'planar': 0, 'pixel': 1}
_STORED = 4  # channels that one store writes


@dataclass(frozen=True, order=True)
class Variant:
    """
    Say how a tensor is written: the ``-D`` of ``fused.cu``.

    ``target`` is planar or pixel (``target.cuh``); ``element`` the bytes of one element;
    ``channels`` 1 or 3.
    """

    target: str
    element: int
    channels: int

    @classmethod
    def of(cls, spec: TensorSpec, channels: int) -> 'Variant':
        """
        Choose for a tensor that holds ``channels`` real channels.

        Raise TensorError where lines start at places that a store of four channels cannot reach.
        """
        target, element = _target(spec.layout, channels), spec.data_type.itemsize
        if target == 'pixel' and spec.line_stride % (_STORED * element):
            raise TensorError(
                f'tensor {spec}: its line stride of {spec.line_stride} bytes is no multiple of '
                f'{_STORED * element}; use another layout, or device: host'
            )
        return cls(target, element, channels)

    @property
    def options(self) -> tuple[str, ...]:
        """Give the compiler's options."""
        return (
            f'-DTARGET={_TARGETS[self.target]}',
            f'-DELEMENT={self.element}',
            f'-DCHANNELS={self.channels}',
        )

    def __str__(self) -> str:
        """Read like ``planar fp16, 3 channels``."""
        name = {1: 'int8', 2: 'fp16', 4: 'fp32'}[self.element]
        return f'{self.target} {name}, {self.channels} channel{"s" * (self.channels > 1)}'


def every_variant() -> Iterator[Variant]:
    """Give all variants that some tensor can ask for."""
    kinds = {
        Variant(_target(layout, channels), data_type.itemsize, channels)
        for layout, data_types in ALLOWED_TYPES.items()
        for data_type in data_types
        for channels in (1, 3)
    }
    yield from sorted(kinds)


def pixel_stride(spec: TensorSpec, channels: int) -> int:
    """Give the bytes from one pixel of a line to the next."""
    if spec.layout.is_grouped:
        return ATOM
    stored = _STORED if _target(spec.layout, channels) == 'pixel' else 1
    return stored * spec.data_type.itemsize


def _target(layout: Layout, channels: int) -> str:
    # One channel lies alone everywhere: in dla_hwc4 too, and in a group nothing else is real.
    has_pixels = layout.is_grouped or layout is Layout.DLA_HWC4
    return 'pixel' if has_pixels and channels > 1 else 'planar'
