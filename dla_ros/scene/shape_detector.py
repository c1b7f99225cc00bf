"""
A convolutional network, its weights set by hand, that finds the shapes of a scene.

How it works, all of it in convolutions, additions and Relu:

1. Each class is a corner of the RGB cube, so one linear form is 1 at that colour and 0 or less at
   every other corner. Steep and cut to 0..1 it says which pixels have the colour.
2. Averaged over a cell and cut again it says which cells are full (more than half of it).
3. From each full cell, how many full cells follow to the left, right, up and down: a run of k
   cells is there if their sum reaches k; the sum over all k is the length.
4. A cell is the middle of a shape where left equals right and up equals down: the heatmap falls
   by a quarter with each cell of difference. Width and height are the runs and the cell itself.

Shapes of an odd number of cells (up to 9) on the grid come out exactly, in fp16 and int8 too: all
numbers are small multiples of powers of two. Off the grid a box is right to one cell.
"""

from dla_ros.scene.colours import CLASSES
from dla_ros.scene.graph import Graph, Weights
import numpy as np

INPUT = 'images'
OUTPUTS = ('heatmap', 'size', 'shift')
STEEPNESS = 4.0
REACH = 4  # cells from the middle to the edge of the largest shape
ENCODINGS = {'rgb8': [0, 1, 2], 'bgr8': [2, 1, 0]}


def build_shape_detector(
    height_width: tuple[int, int], *, stride: int = 8, encoding: str = 'rgb8'
) -> bytes:
    """
    Give the ONNX model for an input of this size, pixels 0..1 in ``encoding``.

    ``encoding`` is rgb8, bgr8 or mono8 (one channel, where only white is found). Sizes must be
    multiples of ``stride`` (at most 8, as a DLA averages). Outputs are what the head centernet
    reads with ``activation: none``; raise ValueError for sizes that do not fit.
    """
    height, width = height_width
    if height % stride or width % stride or not 1 <= stride <= 8:
        raise ValueError(f'{height_width} must be multiples of the stride {stride}, that 1 to 8')
    graph = Graph('shape_detector', INPUT, (1, 1 if encoding == 'mono8' else 3, height, width))
    full = _find_full_cells(graph, stride, encoding)
    across = _count_runs(graph, full, is_vertical=False)
    down = _count_runs(graph, full, is_vertical=True)
    _find_middles(graph, full, across, down)
    _measure(graph, full, across, down)
    count = len(CLASSES)
    graph.mix(full, np.zeros((2, count)), 0.5, name='shift')
    cells = (height // stride, width // stride)
    return graph.to_bytes({'heatmap': (1, count, *cells), 'size': (1, 2, *cells),
                           'shift': (1, 2, *cells)})  # fmt: skip


def _find_full_cells(graph: Graph, stride: int, encoding: str) -> str:
    forms, bias = _colour_forms(encoding)
    pixels = _cut(graph, INPUT, forms, bias)
    return _cut(graph, graph.average(pixels, stride), np.eye(len(CLASSES)), np.zeros(1))


def _colour_forms(encoding: str) -> tuple[Weights, Weights]:
    """Give linear forms (classes, channels) and biases: 1 at the class, 0 or less elsewhere."""
    corners = np.array(list(CLASSES.values())) / 255
    forms, bias = 2 * corners - 1, 1 - corners.sum(axis=1)
    if encoding == 'mono8':
        return forms.sum(axis=1, keepdims=True), bias
    return forms[:, ENCODINGS[encoding]], bias


def _cut(graph: Graph, source: str, forms: Weights, bias: Weights) -> str:
    """Make values near 1 to 1 and near 0 to 0: a steep line through one half, cut at both ends."""
    count = len(forms)
    steep = STEEPNESS * (bias - 0.5) + 0.5
    low_high = np.concatenate([np.broadcast_to(steep, count), np.broadcast_to(steep - 1, count)])
    lines = graph.relu(graph.mix(source, STEEPNESS * np.tile(forms, (2, 1)), low_high))
    return graph.mix(lines, np.hstack([np.eye(count), -np.eye(count)]))


def _count_runs(graph: Graph, full: str, *, is_vertical: bool) -> str:
    """
    Give which runs of full cells start at each cell.

    Channels: for each class, runs of 1, 2, ... REACH further cells backward, then forward.
    """
    count, length = len(CLASSES), 2 * REACH + 1
    weights = np.zeros((count, 2, REACH, count, length))
    for further in range(1, REACH + 1):
        for each in range(count):
            weights[each, 0, further - 1, each, REACH - further : REACH + 1] = 1
            weights[each, 1, further - 1, each, REACH : REACH + further + 1] = 1
    bias = np.tile(-np.arange(1.0, REACH + 1), 2 * count)
    kernel = (length, 1) if is_vertical else (1, length)
    return graph.relu(graph.conv(full, weights.reshape(-1, count, *kernel), bias))


def _find_middles(graph: Graph, full: str, across: str, down: str) -> None:
    """Give 1 in the middle of a shape of each class, a quarter less for each cell beside it."""
    count = len(CLASSES)
    ones = np.ones(REACH)
    difference = np.kron(np.eye(count), np.concatenate([ones, -ones])[None])
    unequal = [
        graph.relu(graph.mix(runs, np.vstack([difference, -difference])))
        for runs in (across, down)
    ]
    fall = -0.25 * np.hstack([np.eye(count), np.eye(count)])
    lower = graph.add(*(graph.mix(each, fall) for each in unequal))
    graph.relu(graph.add(full, lower), name='heatmap')


def _measure(graph: Graph, full: str, across: str, down: str) -> None:
    """Give width and height in cells; only one class is there, so all are added up."""
    count = len(CLASSES)
    all_runs, none = np.ones(2 * REACH * count), np.zeros(2 * REACH * count)
    further = graph.add(
        graph.mix(across, np.stack([all_runs, none])), graph.mix(down, np.stack([none, all_runs]))
    )
    graph.add(further, graph.mix(full, np.ones((2, count))), name='size')
