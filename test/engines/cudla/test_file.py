"""Which loadable runs where, told before cuDLA sees it."""

from dla_ros.emulator.build import emulate
from dla_ros.engines.cudla.file import read_loadable
from dla_ros.errors import LoadableError
from dla_ros.scene.card import write_shape_detector
import pytest


@pytest.fixture(scope='module')
def emulated(tmp_path_factory):
    folder = tmp_path_factory.mktemp('shapes')
    write_shape_detector(folder / 'shapes.onnx', (160, 160))
    emulate(folder / 'shapes.onnx', folder / 'shapes.dla')
    return folder / 'shapes.dla'


def test_a_loadable_for_the_emulator_is_for_the_emulator(emulated):
    assert read_loadable(emulated, is_emulated=True) == emulated.read_bytes()
    with pytest.raises(
        LoadableError, match=r'shapes\.dla.*set dla_device: emulator, or build one'
    ):
        read_loadable(emulated, is_emulated=False)


def test_what_the_hardware_gets_is_left_to_its_driver(emulated, tmp_path):
    other = tmp_path / 'compiled.dla'
    other.write_bytes(emulated.read_bytes()[:16] + bytes(64))
    assert read_loadable(other, is_emulated=False) == other.read_bytes()
