from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator import EmulatorOptions, start
from dla_ros.emulator.build import emulate
from dla_ros.scene.null_network import build_null_network
import pytest


@pytest.fixture
def model(tmp_path):
    path = tmp_path / 'net.onnx'
    path.write_bytes(build_null_network((32, 48)))
    return path


@pytest.fixture
def loadable(tmp_path, model):
    path = tmp_path / 'net.dla'
    emulate(model, path)
    return path


@pytest.fixture
def emulator():
    """Start it healthy, and leave it healthy for the next test."""
    yield start(EmulatorOptions())
    start(EmulatorOptions())


@pytest.fixture
def device():
    with HostDevice.open() as device:
        yield device
