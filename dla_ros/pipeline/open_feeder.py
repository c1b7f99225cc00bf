"""Choosing who prepares the pictures: the device that holds the network's input."""

from typing import cast, TYPE_CHECKING

from dla_ros.devices.protocol import Device
from dla_ros.engines.protocol import Binding
from dla_ros.pipeline.feeder import Feeder
from dla_ros.pipeline.host_feeder import HostFeeder
from dla_ros.preprocessing import Preprocessing
from dla_ros.tensors.spec import TensorSpec

if TYPE_CHECKING:
    from dla_ros.devices.cuda.device import CudaDevice


def open_feeder(
    device: Device, preprocessing: Preprocessing, spec: TensorSpec, binding: Binding
) -> Feeder:
    """
    Open what fills the binding's one input on its stream.

    Raise ConfigError or TensorError if the settings do not fit the network, DeviceError if the
    device refuses.
    """
    buffer, stream = binding.inputs[0], binding.stream
    if device.name != 'cuda':
        return HostFeeder(preprocessing, spec, buffer, stream)
    # CUDA's package is needed only where there is a GPU.
    from dla_ros.pipeline.cuda_feeder import CudaFeeder

    return CudaFeeder(cast('CudaDevice', device), preprocessing, spec, buffer, stream)
