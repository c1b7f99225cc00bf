"""Whether one picture can fill a network's input at all."""

from dla_ros.errors import ConfigError
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.tensors.format import Layout
from dla_ros.tensors.spec import TensorSpec


def check_fit(preprocessing: Preprocessing, spec: TensorSpec) -> None:
    """Raise ConfigError where one picture cannot fill the tensor."""
    if spec.dims[0] != 1:
        raise ConfigError(f'network input {spec}: batch {spec.dims[0]} is not supported; use 1')
    wanted = 1 if preprocessing.encoding == 'mono8' else 3
    # A driver may count the fourth, empty channel of dla_hwc4.
    fits = {wanted, 4} if wanted == 3 and spec.layout is Layout.DLA_HWC4 else {wanted}
    if spec.channels not in fits:
        raise ConfigError(
            f'network input {spec} has {spec.channels} channels, but encoding '
            f"'{preprocessing.encoding}' has {wanted}; change the encoding under preprocessing in "
            'the deployment record (rgb8 or bgr8: 3 channels, mono8: 1)'
        )
