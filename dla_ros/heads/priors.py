"""
The prior boxes of an SSD network: read, or generated as SSD's own training code does.

Source: Liu et al., SSD (arXiv:1512.02325) §2.2; weiliu89/caffe, ``prior_box_layer.cpp``.
"""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import product
import math
from typing import Any

from dla_ros.detections import Float32
from dla_ros.errors import HeadError
from dla_ros.files.regular_file import read_regular
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

Numbers = Sequence[float]
MOST_PRIORS = 1 << 20  # SSD300 has 8732
_MOST_BYTES = 1 << 26
_ODD = (TypeError, ValueError, OSError, SyntaxError, OverflowError, RecursionError, MemoryError)
KEYS = ('strides', 'min_sizes', 'max_sizes', 'aspect_ratios')


def to_priors(option: Any, height_width: tuple[int, int]) -> Float32:
    """
    Give priors (n, 4): centre x, centre y, width, height in pixels of the network's input.

    ``option`` is a list of such rows, or the path of a .npy file with them, in fractions of the
    input (0..1); or a mapping for :func:`generate`. Raise HeadError for anything else.
    """
    if isinstance(option, Mapping):
        return _generated(option, height_width)
    try:
        with np.errstate(over='ignore'):
            rows = _read(option) if isinstance(option, str) else np.asarray(option, np.float32)
            rows = rows.astype(np.float32).reshape(-1, 4)
    # what NumPy raises depends on what is there instead
    except _ODD as err:
        raise HeadError(
            f"head 'ssd': option priors cannot be read ({err}); give rows [cx, cy, width, height] "
            f'in fractions of the input, a .npy file of them, or a mapping of {", ".join(KEYS)}'
        ) from err
    height, width = height_width
    if not np.isfinite(rows).all():
        raise HeadError("head 'ssd': option priors has numbers that are none, or endless")
    return rows * np.array([width, height, width, height], np.float32)


def generate(
    height_width: tuple[int, int],
    strides: Numbers,
    min_sizes: Numbers,
    max_sizes: Numbers,
    aspect_ratios: Sequence[Numbers],
) -> Float32:
    """
    Give the priors of all feature maps, finest first, in pixels; one entry a map in each list.

    A map has ceil(size / stride) cells. Each cell has a square of min_size, one of
    sqrt(min_size * max_size), then for each aspect ratio a box of that ratio and one of its
    inverse, both with the area of the first square.
    """
    count = sum(
        math.prod(_cells(height_width, stride)) * (2 + 2 * len(ratios))
        for stride, ratios in zip(strides, aspect_ratios, strict=True)
    )
    if count > MOST_PRIORS:
        raise ValueError(f'they would be {count}, at most {MOST_PRIORS} are made')
    rows = [
        (x, y, *size)
        for stride, low, high, ratios in zip(
            strides, min_sizes, max_sizes, aspect_ratios, strict=True
        )
        for y, x in _centres(height_width, stride)
        for size in _sizes(low, high, ratios)
    ]
    with np.errstate(over='ignore'):
        found = np.array(rows, np.float32).reshape(-1, 4)
    if not np.isfinite(found).all():
        raise ValueError('some have no size, or an endless one')
    return found


def _read(path: str) -> NDArray[Any]:
    """Read a .npy file; what it claims to hold must be there before memory is taken for it."""
    file = BytesIO(read_regular(path, _MOST_BYTES))
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    version = npy.read_magic(file)
    if version not in readers:
        raise ValueError(f'it has the version {version} of .npy, not 1.0 or 2.0')
    shape, _, dtype = readers[version](file)
    claimed, there = math.prod(shape) * dtype.itemsize, len(file.getbuffer()) - file.tell()
    if dtype.hasobject or claimed > there:
        raise ValueError(f'{claimed} bytes of {dtype} should be in it, {there} are')
    file.seek(0)
    found: NDArray[Any] = npy.read_array(file, allow_pickle=False)
    return found


def _generated(option: Mapping[str, Any], height_width: tuple[int, int]) -> Float32:
    if sorted(option) != sorted(KEYS):
        raise HeadError(f"head 'ssd': option priors has {list(option)}; it needs {list(KEYS)}")
    try:
        return generate(height_width, **option)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as err:
        raise HeadError(
            f"head 'ssd': option priors cannot be generated ({err}); give {', '.join(KEYS)} "
            'with one entry a feature map'
        ) from err


def _centres(height_width: tuple[int, int], stride: float) -> Iterator[tuple[float, float]]:
    rows, columns = _cells(height_width, stride)
    for row, column in product(range(rows), range(columns)):
        yield (row + 0.5) * stride, (column + 0.5) * stride


def _cells(height_width: tuple[int, int], stride: float) -> tuple[int, int]:
    height, width = height_width
    if not 0 < stride < math.inf:
        raise ValueError(f'a stride of {stride} pixels')
    return math.ceil(height / stride), math.ceil(width / stride)


def _sizes(low: float, high: float, ratios: Numbers) -> Iterator[tuple[float, float]]:
    yield low, low
    yield math.sqrt(low * high), math.sqrt(low * high)
    for ratio in ratios:
        root = math.sqrt(ratio)
        yield low * root, low / root
        yield low / root, low * root
