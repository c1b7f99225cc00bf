from contextlib import closing
from dataclasses import replace
import os
from pathlib import Path

from dla_ros.config import DetectorConfig
from dla_ros.detector.engine import open_engine
from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator import EmulatorOptions, running, start
from dla_ros.emulator.build import emulate
from dla_ros.errors import ConfigError, DlaRosError, EngineError, LoadableError
from dla_ros.scene.null_network import build_null_network
import pytest

EMULATED = DetectorConfig(engine_file_path='net.dla', dla_device='emulator')


@pytest.fixture
def device():
    with HostDevice.open() as device:
        yield device
    start(EmulatorOptions())


@pytest.fixture
def model(tmp_path):
    path = tmp_path / 'net.onnx'
    path.write_bytes(build_null_network((32, 48)))
    return path


@pytest.fixture
def loadable(tmp_path, model):
    path = tmp_path / 'net.dla'
    emulate(model, path, input_format='int8:dla_hwc4', scales={'images': 0.5})
    return path


def test_a_loadable_opens_on_a_dla_core(loadable, device):
    config = replace(EMULATED, dla_core=1)
    engine = open_engine(loadable, device, config, {'images': 0.5})
    assert engine.placement == 'DLA core 1 (emulated)'
    assert engine.inputs[0].scale == 0.5
    engine.close()


def test_an_onnx_model_opens_in_onnx_runtime(model, device):
    engine = open_engine(model, device, EMULATED)
    assert (engine.backend, engine.is_emulated) == ('onnx', False)
    engine.close()


def test_the_name_of_the_file_means_nothing(model, device, tmp_path):
    renamed = model.rename(tmp_path / 'model.dla')
    engine = open_engine(str(renamed), device, replace(EMULATED, backend='onnx'))
    assert engine.backend == 'onnx'
    engine.close()


def test_options_reach_the_emulator(loadable, device):
    config = replace(EMULATED, dla_emulator_options='cores=1,task_ms=3', dla_core=1)
    with pytest.raises(ConfigError, match='DLA core 0 only'):
        open_engine(loadable, device, config, {'images': 0.5})


@pytest.mark.parametrize(('options', 'threads'), [('', 3), ('threads=2', 2), ('cores=2', 3)])
def test_the_emulator_takes_as_many_threads_as_onnx_runtime(loadable, device, options, threads):
    config = replace(EMULATED, onnx_threads=3, dla_emulator_options=options)
    with closing(open_engine(loadable, device, config, {'images': 0.5})):
        assert running().state.options.threads == threads


@pytest.mark.parametrize(
    ('change', 'said'),
    [
        ({'backend': 'onnx'}, ['net.dla', 'a DLA loadable', 'backend: auto']),
        ({'dla_device': 'hardware'}, ['CUDA', 'dla_device: emulator']),
        ({'dla_emulator_options': 'speed=3'}, ['speed=3', 'task_ms']),
        ({'dla_core': 2}, ['DLA cores 0 to 1']),
    ],
)
def test_settings_that_do_not_fit_the_file_are_refused(loadable, device, change, said):
    with pytest.raises(DlaRosError) as caught:
        open_engine(loadable, device, replace(EMULATED, **change), {'images': 0.5})
    for part in said:
        assert part in str(caught.value)


def test_an_onnx_model_is_not_for_cudla(model, device):
    with pytest.raises(ConfigError, match=r"backend is cudla, but '.*net\.onnx' is an ONNX model"):
        open_engine(model, device, replace(EMULATED, backend='cudla'))


@pytest.mark.parametrize(
    ('content', 'said'),
    [
        (b'', 'an empty file'),
        (b'ftrt' + bytes(500), 'a TensorRT engine'),
        (b'version https://git-lfs.github.com/spec/v1', 'Git LFS pointer'),
        (bytes(500), 'no known kind'),
    ],
)
def test_what_is_no_network_is_named_with_the_way_to_build_one(tmp_path, device, content, said):
    path = tmp_path / 'net.engine'
    path.write_bytes(content)
    with pytest.raises(EngineError) as caught:
        open_engine(path, device, EMULATED)
    for part in ('net.engine', said, '--buildDLAStandalone'):
        assert part in str(caught.value)


def test_a_missing_engine_is_named_with_its_parameter(tmp_path, device):
    with pytest.raises(EngineError, match=r'absent\.dla.*No such file.*engine_file_path'):
        open_engine(tmp_path / 'absent.dla', device, EMULATED)


@pytest.mark.parametrize('length', [9, 60, 200])
def test_a_cut_loadable_is_refused(loadable, device, length):
    loadable.write_bytes(loadable.read_bytes()[:length])
    with pytest.raises(LoadableError, match=f'broken DLA loadable of {length} bytes'):
        open_engine(loadable, device, EMULATED)


def test_a_cut_model_is_refused(model, device):
    model.write_bytes(model.read_bytes()[:-40])
    with pytest.raises(EngineError, match=r'net\.onnx'):
        open_engine(model, device, EMULATED)


def test_provider_options_are_a_json_object_of_objects(model, device):
    for text, said in (('{', 'not JSON'), ('[1]', 'object of objects'), ('{"a": 1}', 'objects')):
        config = replace(EMULATED, onnx_provider_options=text)
        with pytest.raises(ConfigError, match=said):
            open_engine(model, device, config)
    text = '{"CPUExecutionProvider": {"arena_extend_strategy": "kSameAsRequested"}}'
    open_engine(model, device, replace(EMULATED, onnx_provider_options=text)).close()


@pytest.mark.parametrize('name', ['x' * 256, 'x' * 254, 'a\0b', '\ud800', '~nosuchuser/x'])
def test_a_name_that_no_file_can_have_is_refused(tmp_path, device, name):
    with pytest.raises(DlaRosError, match='cannot read the engine') as caught:
        open_engine(f'{tmp_path}/{name}', device, EMULATED)
    assert str(caught.value).encode()


def test_what_is_no_file_is_named_and_not_waited_for(tmp_path, device):
    os.mkfifo(tmp_path / 'pipe.dla')
    for path, kind in [(tmp_path / 'pipe.dla', 'a pipe'), (Path('/dev/zero'), 'a device')]:
        with pytest.raises(EngineError, match=f'it is {kind}, not a regular file'):
            open_engine(path, device, EMULATED)


@pytest.mark.parametrize('text', ['{"a": ' * 5000, f'{{"a": {5000 * "9"}}}'])
def test_provider_options_beyond_measure_are_refused(model, device, text):
    config = replace(EMULATED, onnx_provider_options=text)
    with pytest.raises(ConfigError, match='onnx_provider_options is not JSON'):
        open_engine(model, device, config)
