"""Choosing who decodes: the device that holds the network's outputs, if it knows the head."""

from typing import cast, TYPE_CHECKING

from dla_ros.devices.protocol import Device
from dla_ros.engines.protocol import Binding
from dla_ros.heads.gpu_head import is_gpu_head
from dla_ros.heads.protocol import Head
from dla_ros.pipeline.host_reader import HostReader
from dla_ros.pipeline.reader import Reader
from dla_ros.tensors.spec import TensorSpec

if TYPE_CHECKING:
    from dla_ros.devices.cuda.device import CudaDevice


def open_reader(
    device: Device, binding: Binding, specs: tuple[TensorSpec, ...], head: Head
) -> Reader:
    """Open what reads the binding's outputs; raise DeviceError if the device refuses."""
    if device.name == 'cuda':
        if is_gpu_head(head):
            from dla_ros.pipeline.cupy_reader import CupyReader

            return CupyReader(binding, specs, head)
        # CUDA's package is needed only where there is a GPU.
        from dla_ros.heads.cuda.plan import plan_for
        from dla_ros.pipeline.cuda_reader import CudaReader

        plan = plan_for(head, specs)
        if plan is not None:
            return CudaReader(cast('CudaDevice', device), binding, specs, plan)
    return HostReader(device, binding, specs)
