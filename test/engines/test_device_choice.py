"""Which device an engine works on, and what is said where that cannot be."""

from cuda.bindings import runtime
from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.detector.engine import device_for
from dla_ros.emulator.build import emulate
from dla_ros.errors import ConfigError, DeviceError
from dla_ros.scene.card import write_null_network
import pytest


@pytest.fixture(scope='module')
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp('null')
    write_null_network(folder / 'null.onnx', (64, 64))
    emulate(folder / 'null.onnx', folder / 'null.dla')
    return {'onnx': folder / 'null.onnx', 'cudla': folder / 'null.dla'}


@pytest.mark.parametrize(
    ('backend', 'dla_device', 'asked', 'given'),
    [
        ('cudla', 'hardware', 'auto', 'cuda'),
        ('cudla', 'emulator', 'auto', 'host'),
        ('cudla', 'emulator', 'cuda', 'cuda'),
        ('cudla', 'hardware', 'host', 'host'),
        ('onnx', 'hardware', 'auto', 'host'),
        ('onnx', 'hardware', 'host', 'host'),
    ],
)
def test_a_hardware_dla_needs_the_gpu_and_nothing_else_does(
    files, backend, dla_device, asked, given
):
    config = DetectorConfig(dla_device=dla_device, device=asked)
    assert device_for(files[backend], config) == given


def test_onnx_runtime_on_the_gpus_memory_is_refused(files):
    with pytest.raises(ConfigError, match=r'device is cuda, but ONNX Runtime.*set device: auto'):
        device_for(files['onnx'], DetectorConfig(device='cuda'))


@pytest.mark.skipif(
    runtime.cudaDriverGetVersion()[1] > 0, reason='needs a machine without an NVIDIA driver'
)
def test_the_gpu_asked_for_without_a_driver_is_told_at_configure(files):
    config = DetectorConfig(
        engine_file_path=str(files['cudla']), device='cuda', dla_device='emulator'
    )
    with pytest.raises(
        DeviceError, match=r'no NVIDIA driver is loaded; install one.*device: host'
    ):
        Detector.open(config, on_result=print, on_invalid=print, on_failure=print)
