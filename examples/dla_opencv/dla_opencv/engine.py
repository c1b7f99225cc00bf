"""OpenCV's own networks as an engine: what it takes to bring one to dla_ros."""

from contextlib import closing, ExitStack

import cv2
from dla_ros import ConfigError, EngineError
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np


class OpenCvEngine:
    """
    Run an ONNX model in OpenCV, on the CPU.

    Option ``input`` (needed): the size of the input, as [1, 3, 416, 416].
    """

    backend = 'opencv'
    is_emulated = False
    placement = f'OpenCV {cv2.__version__} (CPU)'

    @classmethod
    def runs(cls, path, head):
        """Leave ONNX models to ONNX Runtime, unless ``backend: opencv`` asks for this engine."""
        return False

    @classmethod
    def devices(cls, config):
        """Work on memory of the CPU."""
        return ('host',)

    @classmethod
    def open(cls, path, device, config, *, options, scales):
        """Load the model and run it once, to learn the sizes of its outputs."""
        dims = options.get('input')
        if not isinstance(dims, list) or len(dims) != 4:
            raise ConfigError(
                f"engine 'opencv' needs its option input, as engine_options: "
                f'\'{{"input": [1, 3, 416, 416]}}\'; it is {dims!r}'
            )
        network = Network(path)
        results = network.run(np.zeros(dims, np.float32))
        return cls(path, device, to_spec('input', dims), network.names, results)

    def __init__(self, path, device, network_input, names, results):
        """Use ``open``."""
        self._path, self._device = path, device
        self.inputs = (network_input,)
        pairs = zip(names, results, strict=True)
        self.outputs = tuple(to_spec(name, result.shape) for name, result in pairs)

    def bind(self, stream):
        """Give a slot buffers and a network of its own: OpenCV's run one image at a time."""
        return Binding(Network(self._path), self._device, stream, self.inputs, self.outputs)

    def submit(self, binding):
        """Enqueue one run and return."""
        binding.stream.enqueue(binding.run)

    def last_error(self):
        """Know no more than the stream, which carries what OpenCV raised."""

    def close(self):
        """Have nothing to give back."""


class Binding:
    """Hold what one image in flight needs."""

    def __init__(self, network, device, stream, inputs, outputs):
        """Allocate; what is refused half-way gives the rest back."""
        self.stream, self._network = stream, network
        with ExitStack() as taken:
            self.inputs, self.outputs = (
                tuple(taken.enter_context(closing(device.allocate(spec.size))) for spec in specs)
                for specs in (inputs, outputs)
            )
            self._image = self.inputs[0].host.view(np.float32).reshape(inputs[0].dims)
            self._taken = taken.pop_all()

    def run(self):
        """Run on the stream's thread, from and into the buffers."""
        for buffer, result in zip(self.outputs, self._network.run(self._image), strict=True):
            buffer.host[: result.nbytes] = np.ascontiguousarray(result).view(np.uint8).reshape(-1)

    def close(self):
        """Free the buffers, the stream being idle; a second call does nothing."""
        self._taken.close()


class Network:
    """Run a model in OpenCV."""

    def __init__(self, path):
        """Load it; raise EngineError where OpenCV refuses."""
        try:
            self._network = cv2.dnn.readNetFromONNX(str(path))
        except cv2.error as error:
            raise EngineError(f"OpenCV refuses '{path}': {error}") from error
        self.names = self._network.getUnconnectedOutLayersNames()

    def run(self, image):
        """Give the outputs in the order of ``names``."""
        self._network.setInput(image)
        return self._network.forward(self.names)


def to_spec(name, dims):
    """Describe a tensor of floats, of four sizes."""
    return lay_out(name, tuple(dims), DataType.FP32, Layout.LINEAR)
