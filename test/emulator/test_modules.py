from dataclasses import replace

from dla_ros.emulator import EmulatorOptions, start
from dla_ros.engines.cudla.status import CudlaStatus as S
from dla_ros.loadable.loadable import Loadable
from dla_ros.loadable.write import to_bytes
from dla_ros.tensors.descriptor import TensorDescriptor
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import pytest


def test_a_handle_loads_one_module_in_its_life(bench, loadable):
    handle = bench.open()
    module, data = bench.load(handle, loadable), loadable.read_bytes()
    again = ('module_load_from_memory', handle, data, len(data), 0)
    assert bench.status(*again) == S.UNSUPPORTED_OPERATION
    bench.cudla.module_unload(module, 0)
    assert bench.status(*again) == S.UNSUPPORTED_OPERATION


@pytest.mark.parametrize('content', [
    b'ftrt' + bytes(200),
    b'\x08\x00\x00\x00NVDA' + bytes(200),
    b'x',
])  # fmt: skip
def test_what_is_no_loadable_is_umd(bench, content):
    load = ('module_load_from_memory', bench.open(), content, len(content), 0)
    assert bench.status(*load) == S.UMD


def test_a_cut_loadable_and_one_for_real_hardware_are_umd(bench, emulator, loadable):
    whole = Loadable.read(loadable)
    real = to_bytes(Loadable(whole.input_descriptors, whole.output_descriptors))
    for data, reason in ((loadable.read_bytes()[:100], 'broken'), (real, 'built for a DLA')):
        load = ('module_load_from_memory', bench.open(), data, len(data), 0)
        assert bench.status(*load) == S.UMD
        assert reason in emulator.report().refusals[-1]


def test_module_flags_other_than_0_are_refused(bench, loadable):
    handle, data = bench.open(), loadable.read_bytes()
    for flags, status in ((1, S.UNSUPPORTED_OPERATION), (2, S.INVALID_PARAM)):
        load = ('module_load_from_memory', handle, data, len(data), flags)
        assert bench.status(*load) == status
    module = bench.load(handle, loadable)
    assert bench.status('module_unload', module, 1) == S.INVALID_PARAM


def test_descriptors_say_what_the_file_says(bench, loadable):
    module = bench.load(bench.open(), loadable)
    kinds = bench.cudla.ModuleAttributeType
    ask = bench.cudla.module_get_attributes
    assert ask(module, int(kinds.NUM_INPUT_TENSORS)) == 1
    assert ask(module, int(kinds.NUM_OUTPUT_TENSORS)) == 2
    (tensor,) = ask(module, int(kinds.INPUT_TENSOR_DESCRIPTORS))
    assert (tensor.name, tensor.size_, tensor.n, tensor.c, tensor.h, tensor.w) == (
        'x', 1920, 1, 3, 6, 10,
    )  # fmt: skip
    assert (tensor.data_format, tensor.data_type, tensor.data_category) == (3, 2, 2)
    assert tensor.stride.tolist() == [2, 320, 1920, 0, 0, 0, 0, 0]
    outputs = ask(module, int(kinds.OUTPUT_TENSOR_DESCRIPTORS))
    assert [each.name for each in outputs] == ['double', 'half']


def test_modules_end_with_their_handle_or_when_unloaded(bench, loadable):
    first, second = bench.open(), bench.cudla.create_device(0, 0)
    unloaded, orphan = bench.load(first, loadable), bench.load(second, loadable)
    bench.cudla.module_unload(unloaded, 0)
    bench.cudla.destroy_device(second)
    for call in ('module_unload', 'module_get_attributes'):
        assert bench.status(call, unloaded, 0) == S.INVALID_MODULE
        assert bench.status(call, orphan, 0) == S.INVALID_DEVICE
        assert bench.status(call, 0, 0) == S.INVALID_MODULE


def test_a_module_still_loaded_or_memory_still_registered_is_a_leak(bench, emulator, loadable):
    handle = bench.cudla.create_device(0, 0)
    bench.task(handle, loadable)
    before = len(emulator.report().leaks)
    bench.cudla.destroy_device(handle)
    assert len(emulator.report().leaks) - before == 2


def load_changed(bench, loadable, **changes):
    """Load the loadable with its input described otherwise; give the status."""
    whole = Loadable.read(loadable)
    (images,) = whole.input_descriptors
    data = to_bytes(replace(whole, input_descriptors=(replace(images, **changes),)))
    return bench.status('module_load_from_memory', bench.open(), data, len(data), 0)


@pytest.mark.parametrize('size', [4 * 1920 + 4096, 4 * 1920 + 4097])
def test_padding_is_taken_up_to_four_times_the_elements(bench, emulator, loadable, size):
    status = load_changed(bench, loadable, size=size)
    if size == 4 * 1920 + 4096:
        assert status == S.SUCCESS
    else:
        assert status == S.UMD
        assert f'takes {size} bytes, its elements 1920' in emulator.report().refusals[-1]


@pytest.mark.parametrize('network', ['onnx', 'none', 'once'])
def test_tensors_larger_than_the_machine_are_refused(bench, loadable, network):
    emulator = start(EmulatorOptions(network=network))
    dims, line = (1, 8192, 8192, 8192), 8192 * 32
    strides = (2, line, line * 8192, 0, 0, 0, 0, 0)
    size = line * 8192 * 512
    assert load_changed(bench, loadable, dims=dims, strides=strides, size=size) == S.UMD
    assert f'its tensors take {size + 2 * 1920} bytes' in emulator.report().refusals[-1]


def test_tensors_that_are_not_those_of_the_model_are_refused(bench, emulator, loadable):
    wide = TensorDescriptor.of(lay_out('x', (1, 3, 6, 11), DataType.FP16, Layout.CHW16))
    changes = {'dims': wide.dims, 'strides': wide.strides, 'size': wide.size}
    assert load_changed(bench, loadable, **changes) == S.UMD
    assert "has 198 elements, 'x' of the model" in emulator.report().refusals[-1]
