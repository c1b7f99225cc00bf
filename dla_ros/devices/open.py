"""Opening a device by its name."""

from dla_ros.devices.host.device import HostDevice
from dla_ros.devices.protocol import Device
from dla_ros.errors import DeviceError
from dla_ros.installation.libraries import why_missing


def open_device(name: str) -> Device:
    """
    Open 'host' or 'cuda'.

    Raise DeviceError that says what is missing: Python package, driver or GPU; ValueError for
    another name.
    """
    if name == 'host':
        return HostDevice.open()
    if name != 'cuda':
        raise ValueError(f"there is no device '{name}'; name host or cuda")
    try:
        from dla_ros.devices.cuda.device import CudaDevice
    except ImportError as error:
        raise DeviceError(
            f'device: cuda cannot be: {why_missing("cuda", error)}; or set device: host'
        ) from error
    return CudaDevice.open()
