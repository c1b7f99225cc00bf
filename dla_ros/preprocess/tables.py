"""What becomes of each pixel value: normalisation and quantisation as a look-up table."""

from dla_ros.errors import ConfigError
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.tensors.format import DataType
from dla_ros.tensors.packing import quantise, scale_of
from dla_ros.tensors.spec import TensorSpec
import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.generic]


def to_tables(preprocessing: Preprocessing, spec: TensorSpec) -> tuple[Table, ...]:
    """
    Give, for each channel of the network, what the pixel values 0..255 become, (256,).

    (pixel - mean) / std is computed in float64 and rounded once to the type of ``spec``; int8 is
    divided by the scale, rounded half away from zero and saturated. Raise ConfigError where a
    value does not fit fp16, TensorError where int8 has no scale.
    """
    pixels = np.arange(256, dtype=np.float64)
    with np.errstate(over='ignore'):  # what is too large is refused below
        return tuple(
            _to_type((pixels - mean) / std, spec)
            for mean, std in zip(preprocessing.mean, preprocessing.std, strict=True)
        )


def _to_type(values: NDArray[np.float64], spec: TensorSpec) -> Table:
    if spec.data_type is DataType.INT8:
        return quantise(values, scale_of(spec))
    stored = values.astype(spec.data_type.numpy)
    if not np.isfinite(stored).all():
        worst = values[np.abs(values).argmax()]
        raise ConfigError(
            f'mean and std turn a pixel into {worst:g}, beyond {spec.data_type.value} '
            f'(up to {np.finfo(stored.dtype.name).max}); check std, pixels are 0..255'
        )
    return stored
