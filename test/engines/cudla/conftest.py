from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator import EmulatorOptions, start
from dla_ros.emulator.build import emulate
from dla_ros.engines.cudla.engine import CudlaEngine
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


@pytest.fixture
def open_engine():
    """Give what opens an engine on the emulated DLA, told to be or to fail as the options say."""

    def open_engine(loadable, device, options='', **settings):
        start(EmulatorOptions.parse(options))
        return CudlaEngine.open(loadable, device, is_emulated=True, **settings)

    return open_engine


PAIRS = (
    ('create_device', 'destroy_device'),
    ('mem_register', 'mem_unregister'),
    ('module_load_from_memory', 'module_unload'),
)


@pytest.fixture
def balance():
    """Give what is open, and how often each call was made more than its counterpart."""

    def balance(emulator):
        report = emulator.report()
        left = [report.calls.get(one, 0) - report.calls.get(other, 0) for one, other in PAIRS]
        return (
            report.open_handles, report.loaded_modules, report.registrations, report.leaks, left,
        )  # fmt: skip

    return balance
