"""A network that costs next to nothing, to measure everything around it."""

from dla_ros.scene.graph import Graph
import numpy as np

STEP = 16


def build_null_network(height_width: tuple[int, int], *, channels: int = 3) -> bytes:
    """
    Give an ONNX model of this input size in whose outputs the head centernet finds nothing.

    It looks at one pixel of each 16 x 16 and at nothing else. The heatmap holds scores, 0 (head
    option ``activation: none``).
    """
    height, width = height_width
    graph = Graph('null', 'images', (1, channels, height, width))
    few = graph.sample('images', STEP)
    cells = (-(-height // STEP), -(-width // STEP))
    for name, count, value in (('heatmap', 1, 0.0), ('size', 2, 1.0), ('shift', 2, 0.5)):
        graph.mix(few, np.zeros((count, channels)), value, name=name)
    return graph.to_bytes({'heatmap': (1, 1, *cells), 'size': (1, 2, *cells),
                           'shift': (1, 2, *cells)})  # fmt: skip
