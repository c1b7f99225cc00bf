from contextlib import ExitStack
from dataclasses import replace

from dla_ros.emulator.build import emulate
from dla_ros.engines.cudla.engine import CudlaEngine
from dla_ros.errors import ConfigError, EngineError, LoadableError, TensorError
from dla_ros.loadable.loadable import Loadable
from dla_ros.loadable.write import write
from dla_ros.tensors.packing import unpack
import pytest


def test_a_network_runs_and_leaves_nothing_behind(
    emulator, loadable, device, open_engine, balance
):
    before = balance(emulator)
    with ExitStack() as held:
        engine = open_engine(loadable, device)
        held.callback(engine.close)
        stream = device.open_stream()
        held.callback(stream.close)
        binding = engine.bind(stream)
        held.callback(binding.close)
        engine.submit(binding)
        stream.synchronize()
        found = [
            float(unpack(spec, memory.host).max())
            for spec, memory in zip(engine.outputs, binding.outputs, strict=True)
        ]
        assert found == [0.0, 1.0, 0.5]
        assert engine.last_error() is None
    assert balance(emulator) == before


def test_it_says_what_it_is(emulator, loadable, device, open_engine):
    engine = open_engine(loadable, device, dla_core=1)
    assert (engine.backend, engine.placement) == ('cudla', 'DLA core 1 (emulated)')
    assert engine.is_emulated
    assert str(engine.inputs[0]) == 'images 1x3x32x48 fp16:chw16'
    assert [spec.name for spec in engine.outputs] == ['heatmap', 'size', 'shift']
    engine.close()


def test_the_way_back_goes_in_the_documented_order(
    emulator, loadable, device, monkeypatch, open_engine
):
    engine, stream, order = open_engine(loadable, device), device.open_stream(), []
    call, allocate = engine._cudla.call, device.allocate

    def noting(name, *arguments):
        order.append(name)
        return call(name, *arguments)

    monkeypatch.setattr(engine._cudla, 'call', noting)
    monkeypatch.setattr(device, 'allocate', lambda nbytes: Noting(allocate(nbytes), order))
    engine.bind(stream).close()
    engine.close()
    stream.close()
    assert order == [
        *['mem_register'] * 4, *['mem_unregister'] * 4, *['free'] * 4,
        'module_unload', 'destroy_device',
    ]  # fmt: skip


class Noting:
    """Note when a buffer is freed."""

    def __init__(self, buffer, order):
        self._buffer, self._order = buffer, order
        self.address, self.nbytes, self.host = buffer.address, buffer.nbytes, buffer.host

    def close(self):
        self._order.append('free')
        self._buffer.close()


def test_everything_is_unregistered_before_anything_is_freed(
    emulator, loadable, device, open_engine
):
    engine, stream = open_engine(loadable, device), device.open_stream()
    refused = len(emulator.report().refusals)
    engine.bind(stream).close()  # the emulator refuses to unregister what is freed
    assert len(emulator.report().refusals) == refused
    engine.close()
    stream.close()


@pytest.mark.parametrize('core', [-1, 2, 7])
def test_a_core_that_does_not_exist_is_refused_with_the_valid_ones(
    emulator, loadable, device, core, open_engine
):
    created = emulator.report().calls.get('create_device', 0)
    with pytest.raises(ConfigError) as caught:
        open_engine(loadable, device, dla_core=core)
    for part in (f'dla_core is {core}', 'DLA cores 0 to 1', 'no fallback to the GPU'):
        assert part in str(caught.value)
    assert emulator.report().calls.get('create_device', 0) == created


def test_the_core_that_was_asked_for_is_used(emulator, loadable, device, open_engine):
    for core in (0, 1):
        engine = open_engine(loadable, device, dla_core=core)
        assert [handle.core_index for handle in emulator.state.handles.values()] == [core]
        engine.close()


@pytest.mark.parametrize('name', ['images', "images'"])
def test_an_int8_scale_is_found_with_or_without_the_quote_of_orin(
    emulator, model, tmp_path, device, name, open_engine
):
    path = tmp_path / 'int8.dla'
    emulate(model, path, input_format='int8:chw32', scales={'images': 0.5})
    if name.endswith("'"):
        whole = Loadable.read(path)
        quoted = replace(whole.input_descriptors[0], name=name)
        write(replace(whole, input_descriptors=(quoted,)), path)
    engine = open_engine(path, device, 'network=none', scales={'images': 0.5})
    assert (engine.inputs[0].name, engine.inputs[0].scale) == (name, 0.5)
    engine.close()


def test_an_int8_tensor_without_a_scale_is_refused(
    emulator, model, tmp_path, device, open_engine, balance
):
    path = tmp_path / 'int8.dla'
    emulate(model, path, input_format='int8:chw32', scales={'images': 0.5})
    before = balance(emulator)
    with pytest.raises(TensorError, match=r'images.*deployment record under io'):
        open_engine(path, device)
    assert balance(emulator) == before


def test_hardware_needs_a_cuda_device(loadable, device):
    with pytest.raises(EngineError, match=r"the device is 'host'.*dla_device: emulator"):
        CudlaEngine.open(loadable, device)


def test_a_loadable_for_real_hardware_is_not_for_the_emulator(
    emulator, loadable, device, open_engine
):
    whole = Loadable.read(loadable)
    write(Loadable(whole.input_descriptors, whole.output_descriptors), loadable)
    with pytest.raises(LoadableError, match=r'net\.dla.*built for a DLA.*dla_ros emulate'):
        open_engine(loadable, device)


def test_a_cut_loadable_is_called_broken(emulator, loadable, device, open_engine):
    data = loadable.read_bytes()
    loadable.write_bytes(data[: len(data) // 2])
    with pytest.raises(LoadableError, match=r'net\.dla.*broken'):
        open_engine(loadable, device)


def test_a_binding_of_another_engine_is_refused(emulator, loadable, device, open_engine):
    engine = open_engine(loadable, device)
    with pytest.raises(TypeError, match='object'):
        engine.submit(object())
    engine.close()
