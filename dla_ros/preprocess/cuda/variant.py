"""For which kind of tensor the kernels are compiled."""

from collections.abc import Iterator
from dataclasses import dataclass

from dla_ros.tensors.data_type import DataType
from dla_ros.tensors.lay_out import ALLOWED_TYPES
from dla_ros.tensors.layout import Layout
from dla_ros.tensors.spec import TensorSpec

_TARGETS = {'planar': 0, 'pixel': 1, 'group': 2}
# Pixels of one thread, most first: what the layouts with strides of 64 bytes and more allow.
_PIXELS = {('pixel', 2): 2, ('group', 1): 1, ('group', 2): 1}
_MOST_PIXELS = 4


@dataclass(frozen=True, order=True)
class Variant:
    """
    Say how a tensor is written: the ``-D`` of ``fused.cu``.

    ``target`` is planar, pixel or group (``target.cuh``); ``element`` the bytes of one element;
    ``channels`` 1 or 3; ``pixels`` how many neighbours one thread writes in one store.
    """

    target: str
    element: int
    channels: int
    pixels: int

    @classmethod
    def of(cls, spec: TensorSpec, channels: int) -> 'Variant':
        """Choose for a tensor that holds ``channels`` real channels."""
        element = spec.data_type.itemsize
        target = _target(spec.layout, channels)
        pixels = _PIXELS.get((target, element), _MOST_PIXELS)
        run = pixels * element * (1 if target == 'planar' else 4)
        if target != 'group' and not _takes_runs(spec, pixels, run):
            pixels = 1
        return cls(target, element, channels, pixels)

    @property
    def options(self) -> tuple[str, ...]:
        """Give the compiler's options."""
        return (
            f'-DTARGET={_TARGETS[self.target]}',
            f'-DELEMENT={self.element}',
            f'-DCHANNELS={self.channels}',
            f'-DPIXELS={self.pixels}',
        )

    def __str__(self) -> str:
        """Read like ``planar fp16 3 channels, 4 pixels a thread``."""
        name = {1: 'int8', 2: 'fp16', 4: 'fp32'}[self.element]
        channels = '3 channels' if self.channels == 3 else '1 channel'
        return f'{self.target} {name}, {channels}, {self.pixels} pixels a thread'


def every_variant() -> Iterator[Variant]:
    """Give all variants that some tensor can ask for."""
    pairs = {(_target(layout, n), data_type.itemsize, n) for layout, data_type, n in _kinds()}
    for target, element, channels in sorted(pairs):
        most = _PIXELS.get((target, element), _MOST_PIXELS)
        for pixels in sorted({1, most} if target == 'planar' else {most}):
            yield Variant(target, element, channels, pixels)


def _takes_runs(spec: TensorSpec, pixels: int, run: int) -> bool:
    """Tell whether every run of ``pixels`` (``run`` bytes) is aligned and within the tensor."""
    _, channels, height, width = spec.dims
    last_line = spec.line_stride * (height - 1) + spec.plane_stride * (channels - 1)
    end = last_line + -(-width // pixels) * run
    return not (spec.line_stride % run or spec.plane_stride % run) and end <= spec.size


def _kinds() -> Iterator[tuple[Layout, DataType, int]]:
    for layout, data_types in ALLOWED_TYPES.items():
        for data_type in data_types:
            yield layout, data_type, 1
            yield layout, data_type, 3


def _target(layout: Layout, channels: int) -> str:
    if layout.is_grouped:
        return 'group'
    # One channel of dla_hwc4 is stored as one channel: a plane.
    return 'pixel' if layout is Layout.DLA_HWC4 and channels > 1 else 'planar'
