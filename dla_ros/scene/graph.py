"""Build small ONNX models out of the few operators that a DLA runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import checker, helper, numpy_helper, TensorProto

Weights = NDArray[Any]

OPSET = 13
IR_VERSION = 8  # what ONNX Runtime of Ubuntu 22.04's time reads


class Graph:
    """Collect the layers of a model with one input; each method gives the new tensor's name."""

    def __init__(self, name: str, input_name: str, dims: tuple[int, int, int, int]) -> None:
        """Start with an input of size (n, c, h, w)."""
        self._name = name
        self._input = helper.make_tensor_value_info(input_name, TensorProto.FLOAT, dims)
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def conv(self, source: str, weights: Weights, bias: Weights, name: str = '') -> str:
        """Convolve with (out, in, height, width) weights, edges padded with 0, size kept."""
        place = len(self._nodes)
        pads = [size // 2 for size in weights.shape[2:]]
        for part, values in (('weight', weights), ('bias', bias)):
            array = np.asarray(values, np.float32)
            self._weights.append(numpy_helper.from_array(array, f'{part}{place}'))
        inputs = [source, f'weight{place}', f'bias{place}']
        return self._add(
            'Conv', inputs, name, kernel_shape=list(weights.shape[2:]), pads=[*pads, *pads]
        )

    def mix(self, source: str, weights: Weights, bias: Any = 0.0, name: str = '') -> str:
        """Combine channels by an (out, in) matrix at each place."""
        biases = np.broadcast_to(np.float32(bias), len(weights))
        return self.conv(source, weights[:, :, None, None], biases, name)

    def relu(self, source: str, name: str = '') -> str:
        """Leave out what is below 0."""
        return self._add('Relu', [source], name)

    def add(self, first: str, second: str, name: str = '') -> str:
        """Add two tensors of one size."""
        return self._add('Add', [first, second], name)

    def average(self, source: str, size: int) -> str:
        """Average squares of size x size."""
        return self._add('AveragePool', [source], kernel_shape=[size] * 2, strides=[size] * 2)

    def sample(self, source: str, step: int) -> str:
        """Take one pixel of each step x step, without looking at the others."""
        return self._add('MaxPool', [source], kernel_shape=[1, 1], strides=[step] * 2)

    def to_bytes(self, outputs: 'dict[str, tuple[int, int, int, int]]') -> bytes:
        """Give the checked model with these outputs, in this order."""
        values = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
            for name, dims in outputs.items()
        ]
        graph = helper.make_graph(self._nodes, self._name, [self._input], values, self._weights)
        model = helper.make_model(
            graph, producer_name='dla_ros', opset_imports=[helper.make_opsetid('', OPSET)]
        )
        model.ir_version = IR_VERSION
        checker.check_model(model, full_check=True)
        content: bytes = model.SerializeToString(deterministic=True)
        return content

    def _add(self, operator: str, inputs: Sequence[str], name: str = '', **settings: Any) -> str:
        output = name or f'{operator.lower()}{len(self._nodes)}'
        self._nodes.append(helper.make_node(operator, inputs, [output], output, **settings))
        return output
