"""Engines that other packages bring: found by name or by file, and named when they fail."""

from contextlib import closing
import sys

from dla_ros.config import DetectorConfig, ENGINES
from dla_ros.detector.engine import backend_of, device_for, open_engine
from dla_ros.devices.host.device import HostDevice
from dla_ros.errors import ConfigError, EngineError
from dla_ros.scene.null_network import build_null_network
import pytest

CHIP = """
from dla_ros.engines.onnx import OnnxEngine

class Chip(OnnxEngine):
    backend = 'chip'
    runs = classmethod(lambda cls, path, head: head.startswith(b'CHIP'))
    devices = classmethod(lambda cls, config: ('host',))

    @classmethod
    def open(cls, path, device, config, *, options, scales):
        cls.told = (options, scales)
        return super().open(path.with_suffix('.onnx'), device)
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Give a function (points, code) that installs a package 'robot-chip' with engines."""

    def run(points, code):
        info = tmp_path / 'robot_chip-1.0.dist-info'
        info.mkdir()
        (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: robot-chip\nVersion: 1.0\n')
        (info / 'entry_points.txt').write_text(f'[{ENGINES}]\n{points}\n')
        (tmp_path / 'robot_chip.py').write_text(code)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, 'robot_chip', raising=False)

    yield run
    sys.modules.pop('robot_chip', None)


@pytest.fixture
def network(tmp_path):
    """Give a file for the chip; what it runs lies beside it as ONNX."""
    (tmp_path / 'net.onnx').write_bytes(build_null_network((32, 48)))
    path = tmp_path / 'net.chip'
    path.write_bytes(b'CHIP' + bytes(200))
    return path


@pytest.fixture
def device():
    with HostDevice.open() as opened:
        yield opened


@pytest.mark.parametrize('backend', ['auto', 'chip'])
def test_an_engine_is_found_by_its_name_and_by_its_file(install, network, device, backend):
    install('chip = robot_chip:Chip', CHIP)
    config = DetectorConfig(backend=backend, engine_options='{"speed": 3}')
    assert device_for(network, config) == 'host'
    with closing(open_engine(network, device, config, {'images': 0.5})) as engine:
        assert engine.backend == 'chip'
        assert engine.told == ({'speed': 3}, {'images': 0.5})


def test_a_file_that_nobody_runs_is_refused_as_before(install, tmp_path):
    install('chip = robot_chip:Chip', CHIP)
    path = tmp_path / 'net.other'
    path.write_bytes(bytes(200))
    with pytest.raises(EngineError, match='a file of no known kind, no network to run'):
        backend_of(path, 'auto')


def test_a_file_that_two_run_is_left_to_the_parameter(install, network):
    install('chip = robot_chip:Chip\nclone = robot_chip:Chip', CHIP)
    with pytest.raises(ConfigError, match=r"engines chip and clone both run '.*net.chip'; set"):
        backend_of(network, 'auto')
    assert backend_of(network, 'clone') == 'clone'


def test_files_and_names_of_this_package_cannot_be_taken_over(install, network):
    all_files = CHIP.replace("head.startswith(b'CHIP')", 'True')
    install('onnx = robot_chip:Chip\nchip = robot_chip:Chip', all_files)
    model = network.with_suffix('.onnx')
    assert backend_of(model, 'auto') == 'onnx'
    assert device_for(model, DetectorConfig(backend='onnx')) == 'host'
    assert 'robot_chip' not in sys.modules, 'nobody else is asked'


def test_a_model_may_be_run_by_another_engine_that_is_asked_for(install, network):
    install('chip = robot_chip:Chip', CHIP)
    assert backend_of(network.with_suffix('.onnx'), 'chip') == 'chip'


def test_a_backend_that_nobody_brings_is_no_setting():
    with pytest.raises(ConfigError, match=r"'chip'; .*'onnx', or a name that a package brings"):
        DetectorConfig(backend='chip')


def test_a_device_that_an_engine_cannot_use_is_refused(install, network):
    install('chip = robot_chip:Chip', CHIP)
    with pytest.raises(ConfigError, match=r"device is cuda, but engine 'chip'.* memory of host"):
        device_for(network, DetectorConfig(device='cuda', backend='chip'))


@pytest.mark.parametrize('text', ['{', '[1]', '3'])
def test_options_are_a_json_object(install, network, device, text):
    install('chip = robot_chip:Chip', CHIP)
    with pytest.raises(ConfigError, match='engine_options'):
        open_engine(network, device, DetectorConfig(backend='chip', engine_options=text))


def test_options_without_an_engine_that_takes_them_are_refused(network, device):
    config = DetectorConfig(engine_options='{"speed": 3}')
    with pytest.raises(ConfigError, match='onnx is no engine of another package'):
        open_engine(network.with_suffix('.onnx'), device, config)


NAMED = r"engine 'chip'( \(robot_chip:Chip\))? of robot-chip "


@pytest.mark.parametrize(
    ('code', 'reason'),
    [
        ('import no_such_module', 'cannot be loaded: ModuleNotFoundError: .*no_such_module'),
        ('class Chip: ...', 'is no engine: it lacks runs and devices and open'),
        (CHIP.replace('return super()', 'return 3 # '), 'opened no engine: it lacks backend'),
        (CHIP.replace('cls.told = (options, scales)', '1 / 0'), 'fails .*ZeroDivisionError'),
        (CHIP.replace('head.startswith', 'head.begins'), "fails .*no attribute 'begins'"),
    ],
)
def test_what_goes_wrong_in_an_engine_names_it_and_its_package(
    install, network, device, code, reason
):
    install('chip = robot_chip:Chip', code)
    with pytest.raises(EngineError, match=NAMED + reason):
        open_engine(network, device, DetectorConfig())


def test_what_an_engine_itself_refuses_is_told_as_it_is(install, network, device):
    code = CHIP.replace(
        'cls.told = (options, scales)',
        "from dla_ros import ConfigError; raise ConfigError('speed is missing')",
    )
    install('chip = robot_chip:Chip', code)
    with pytest.raises(ConfigError, match=r'^speed is missing$'):
        open_engine(network, device, DetectorConfig())
