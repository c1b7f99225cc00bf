"""
The prior boxes of an SSD network: read, or generated as SSD's own training code does.

Source: Liu et al., SSD (arXiv:1512.02325) §2.2; weiliu89/caffe, ``prior_box_layer.cpp``.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
import math
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from dla_ros.detections import Float32
from dla_ros.errors import HeadError
import numpy as np

Numbers = Sequence[float]
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
        rows = np.load(Path(option)) if isinstance(option, str) else np.asarray(option, np.float32)
        rows = rows.astype(np.float32).reshape(-1, 4)
    # what numpy.load raises depends on what the file is instead
    except (TypeError, ValueError, AttributeError, OSError, EOFError, BadZipFile) as err:
        raise HeadError(
            f"head 'ssd': option priors cannot be read ({err}); give rows [cx, cy, width, height] "
            f'in fractions of the input, a .npy file of them, or a mapping of {", ".join(KEYS)}'
        ) from err
    height, width = height_width
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
    rows = [
        (x, y, *size)
        for stride, low, high, ratios in zip(
            strides, min_sizes, max_sizes, aspect_ratios, strict=True
        )
        for y, x in _centres(height_width, stride)
        for size in _sizes(low, high, ratios)
    ]
    return np.array(rows, np.float32).reshape(-1, 4)


def _generated(option: Mapping[str, Any], height_width: tuple[int, int]) -> Float32:
    if sorted(option) != sorted(KEYS):
        raise HeadError(f"head 'ssd': option priors has {list(option)}; it needs {list(KEYS)}")
    try:
        return generate(height_width, **option)
    except (TypeError, ValueError, ZeroDivisionError) as err:
        raise HeadError(
            f"head 'ssd': option priors cannot be generated ({err}); give {', '.join(KEYS)} "
            'with one entry a feature map'
        ) from err


def _centres(height_width: tuple[int, int], stride: float) -> Iterator[tuple[float, float]]:
    rows, columns = (math.ceil(size / stride) for size in height_width)
    for row, column in product(range(rows), range(columns)):
        yield (row + 0.5) * stride, (column + 0.5) * stride


def _sizes(low: float, high: float, ratios: Numbers) -> Iterator[tuple[float, float]]:
    yield low, low
    yield math.sqrt(low * high), math.sqrt(low * high)
    for ratio in ratios:
        root = math.sqrt(ratio)
        yield low * root, low / root
        yield low / root, low * root
