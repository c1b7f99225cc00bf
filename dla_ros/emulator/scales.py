"""Finding the int8 steps of a network's tensors."""

from collections.abc import Iterable, Sequence
from typing import Any

from dla_ros.engines.onnx_session import OnnxSession, Port
from dla_ros.errors import ImageError
from dla_ros.images.image import ImageView, to_image_view
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.packing import HIGHEST, unpack
from dla_ros.tensors.spec import lay_out, to_dims
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def input_scale(preprocessing: Preprocessing) -> float:
    """Give the step with which the largest pixel value that can occur is just held."""
    pairs = zip(preprocessing.mean, preprocessing.std, strict=True)
    largest = max(abs((pixel - mean) / std) for mean, std in pairs for pixel in (0, 255))
    return largest / HIGHEST


def calibrate(
    session: OnnxSession, samples: Iterable[Array], preprocessing: Preprocessing
) -> dict[str, float]:
    """
    Run samples and give, for each output, the step that just holds its largest value.

    A sample is a picture (uint8, (h, w, 3), rgb8) or a network input (float, the model's shape).
    """
    largest = {port.name: 0.0 for port in session.outputs}
    for sample in samples:
        found = session.run([_to_input(sample, session.inputs, preprocessing)])
        for port, values in zip(session.outputs, found, strict=True):
            largest[port.name] = max(largest[port.name], float(np.abs(values).max()))
    return {name: value / HIGHEST for name, value in largest.items() if value > 0}


def _to_input(sample: Array, ports: Sequence[Port], preprocessing: Preprocessing) -> Array:
    if len(ports) != 1:
        raise ImageError(f'calibration needs a model with one input, this one has {len(ports)}')
    port = ports[0]
    if sample.dtype != np.uint8:
        return sample.astype(port.dtype).reshape(port.dims)
    spec = lay_out(port.name, to_dims(port.name, port.dims), DataType.FP32, Layout.LINEAR)
    memory = np.zeros(spec.size, np.uint8)
    HostPreprocessor.open(preprocessing, spec).prepare(_to_view(sample), memory)
    return unpack(spec, memory).astype(port.dtype).reshape(port.dims)


def _to_view(picture: Array) -> ImageView:
    if picture.ndim != 3 or picture.shape[2] != 3:
        raise ImageError(
            f'a calibration picture of shape {picture.shape} cannot be used; '
            'give uint8 (height, width, 3) in rgb8'
        )
    data = np.ascontiguousarray(picture)
    height, width, _ = data.shape
    return to_image_view(
        data.reshape(-1), height=height, width=width, encoding='rgb8', step=3 * width
    )
