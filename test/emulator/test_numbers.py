"""The numbers that come out of the emulated DLA, through every format a tensor may have."""

from dla_ros.emulator.build import emulate
from dla_ros.loadable.loadable import Loadable
from dla_ros.tensors.format import DataType
from dla_ros.tensors.packing import pack, unpack
import numpy as np
import pytest

INPUTS = ('fp16:chw16', 'fp16:dla_linear', 'fp16:dla_hwc4', 'int8:chw32', 'int8:dla_linear',
          'int8:dla_hwc4')  # fmt: skip
OUTPUTS = ('fp16:chw16', 'fp16:dla_linear', 'int8:chw32', 'int8:dla_linear')
SCALES = {'x': 0.05, 'double': 0.07, 'half': 0.02}


@pytest.mark.parametrize('output_format', OUTPUTS)
@pytest.mark.parametrize('input_format', INPUTS)
def test_every_format_gives_the_numbers_of_the_model(
    bench, model, tmp_path, input_format, output_format
):
    path = tmp_path / 'net.dla'
    record = emulate(
        model, path, input_format=input_format, output_format=output_format, scales=SCALES
    )
    loadable, handle, stream = Loadable.read(path), bench.open(), bench.stream()
    inputs, outputs = (with_scales(specs) for specs in (loadable.inputs, loadable.outputs))
    task, (x, *results), _ = bench.task(handle, path)
    values = np.random.default_rng(7).uniform(-5, 5, inputs[0].dims).astype(np.float32)
    pack(inputs[0], values, x.host)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    stream.synchronize()
    seen = unpack(inputs[0], x.host)  # what the network sees after quantising
    for spec, memory, expected in zip(outputs, results, (2 * seen, seen / 2 - 1), strict=True):
        found = unpack(spec, memory.host)
        assert np.abs(found - within_int8(spec, expected)).max() <= tolerance(spec, expected)
    assert record.io.inputs['x'].format == input_format


def with_scales(specs):
    from dataclasses import replace

    return [
        replace(spec, scale=SCALES[spec.name]) if spec.data_type is DataType.INT8 else spec
        for spec in specs
    ]


def within_int8(spec, values):
    if spec.data_type is DataType.FP16:
        return values
    return np.clip(values, -128 * spec.scale, 127 * spec.scale)


def tolerance(spec, values):
    """Half a step of int8, or half a unit in the last place of fp16; and float32's own error."""
    if spec.data_type is DataType.INT8:
        return spec.scale * 0.5001
    return np.abs(values).max() * 2**-11


def test_what_lies_in_the_padding_of_an_input_is_never_read(bench, model, tmp_path):
    path = tmp_path / 'net.dla'
    emulate(model, path)
    handle, stream = bench.open(), bench.stream()
    task, (x, double, _), _ = bench.task(handle, path)
    results = []
    for filling in (0x00, 0x7C):
        x.host[:] = filling
        pixels = x.host.view(np.float16).reshape(6, 10, 16)
        pixels[..., :3] = 1.5
        bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
        stream.synchronize()
        results.append(double.host.copy())
    assert np.array_equal(*results)
    planes = results[0].view(np.float16).reshape(6, 10, 16)
    assert (planes[..., :3] == 3.0).all()
    assert not planes[..., 3:].any()
