import threading

from dla_ros.devices.host.device import HostDevice
from dla_ros.engines.onnx import OnnxEngine
from dla_ros.errors import DeviceError, EngineError, TensorError
import numpy as np
from onnx import helper, numpy_helper, TensorProto
import pytest


def model_bytes(shape, operator='Neg', element=TensorProto.FLOAT):
    x = helper.make_tensor_value_info('x', element, shape)
    y = helper.make_tensor_value_info('y', element, shape)
    return finish([helper.make_node(operator, ['x'], ['y'])], [x], [y])


def finish(nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, 'g', inputs, outputs, list(constants))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)])
    model.ir_version = 8
    return model.SerializeToString()


def gathering_model():
    """Give a model that fails when it runs with a value beyond 1: it is an index into two."""
    x = helper.make_tensor_value_info('x', TensorProto.FLOAT, [2])
    y = helper.make_tensor_value_info('y', TensorProto.FLOAT, [2])
    nodes = [
        helper.make_node('Cast', ['x'], ['places'], to=TensorProto.INT64),
        helper.make_node('Gather', ['data', 'places'], ['y']),
    ]
    data = numpy_helper.from_array(np.array([5, 6], np.float32), 'data')
    return finish(nodes, [x], [y], [data])


@pytest.fixture
def device():
    with HostDevice() as opened:
        yield opened


@pytest.fixture
def stream(device):
    opened = device.open_stream()
    yield opened
    opened.close()


def fill(buffer, array):
    buffer.host[:] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)


def read(buffer, dtype):
    return buffer.host.view(dtype).copy()


def test_a_run_goes_from_the_input_buffer_into_the_output_buffer(device, stream):
    engine = OnnxEngine.open(model_bytes((1, 2, 3, 4)), device, threads=1)
    binding = engine.bind(stream)
    values = np.arange(24, dtype=np.float32)
    fill(binding.inputs[0], values)
    engine.submit(binding)
    stream.synchronize()
    np.testing.assert_array_equal(read(binding.outputs[0], np.float32), -values)
    binding.close()
    engine.close()


def test_a_submit_does_not_wait_for_the_run(device, stream):
    engine = OnnxEngine.open(model_bytes((1, 1, 1, 1)), device)
    binding = engine.bind(stream)
    gate = threading.Event()
    stream.enqueue(lambda: gate.wait(10))
    fill(binding.inputs[0], np.float32([3]))
    engine.submit(binding)
    assert read(binding.outputs[0], np.float32)[0] == 0
    gate.set()
    stream.synchronize()
    assert read(binding.outputs[0], np.float32)[0] == -3
    binding.close()
    engine.close()


def test_two_bindings_do_not_share_memory(device, stream):
    engine = OnnxEngine.open(model_bytes((1, 1, 1, 1)), device)
    first, second = engine.bind(stream), engine.bind(stream)
    fill(first.inputs[0], np.float32([1]))
    fill(second.inputs[0], np.float32([2]))
    engine.submit(first)
    engine.submit(second)
    stream.synchronize()
    assert [read(b.outputs[0], np.float32)[0] for b in (first, second)] == [-1, -2]
    for closing in (first, second, engine):
        closing.close()


@pytest.mark.parametrize(
    ('shape', 'dims'),
    [((1, 84, 2100), (1, 84, 1, 2100)), ((1, 10), (1, 10, 1, 1)), ((1, 3, 4, 5), (1, 3, 4, 5))],
)
def test_tensors_are_shown_with_four_sizes(device, shape, dims):
    engine = OnnxEngine.open(model_bytes(shape), device)
    assert engine.outputs[0].dims == dims
    assert str(engine.outputs[0]).endswith('fp32:linear')
    assert engine.outputs[0].size == np.prod(shape) * 4


def test_five_sizes_are_refused(device):
    with pytest.raises(TensorError, match='1x3x80x80x85'):
        OnnxEngine.open(model_bytes((1, 3, 80, 80, 85)), device)


def test_a_model_in_half_precision_keeps_its_type(device, stream):
    engine = OnnxEngine.open(model_bytes((1, 1, 1, 4), element=TensorProto.FLOAT16), device)
    assert str(engine.inputs[0]) == 'x 1x1x1x4 fp16:linear'
    binding = engine.bind(stream)
    fill(binding.inputs[0], np.float16([1, 2, 3, 4]))
    engine.submit(binding)
    stream.synchronize()
    np.testing.assert_array_equal(read(binding.outputs[0], np.float16), [-1, -2, -3, -4])


def test_an_int8_tensor_gets_its_step(device):
    model = model_bytes((1, 1, 1, 4), element=TensorProto.INT8)
    engine = OnnxEngine.open(model, device, scales={'x': 0.5})
    assert engine.inputs[0].scale == 0.5
    assert engine.outputs[0].scale is None


def test_a_type_that_no_picture_becomes_is_refused_with_those_that_are_known(device):
    with pytest.raises(EngineError, match="'x' has elements of type int64; known are float32"):
        OnnxEngine.open(model_bytes((1, 1, 1, 4), element=TensorProto.INT64), device)


def test_what_runs_the_model_is_said(device):
    engine = OnnxEngine.open(model_bytes((1, 1)), device)
    assert (engine.backend, engine.is_emulated) == ('onnx', False)
    assert engine.placement == 'ONNX Runtime (CPUExecutionProvider)'


def test_a_run_that_fails_breaks_the_stream_with_the_reason(device, stream):
    engine = OnnxEngine.open(gathering_model(), device)
    binding = engine.bind(stream)
    fill(binding.inputs[0], np.float32([7, 7]))
    engine.submit(binding)
    with pytest.raises(DeviceError, match=r'ONNX Runtime failed on model in memory.*Gather'):
        stream.synchronize()


def test_memory_out_of_reach_of_the_cpu_is_refused(device, stream):
    class Far:
        host, nbytes, address = None, 4, 0
        closed = 0

        def close(self):
            Far.closed += 1

    class FarDevice(HostDevice):
        def allocate(self, nbytes):
            return Far()

    engine = OnnxEngine.open(model_bytes((1, 1)), FarDevice())
    with pytest.raises(EngineError, match='out of reach of the CPU'):
        engine.bind(stream)
    assert Far.closed == 2


def test_closing_twice_is_fine(device, stream):
    engine = OnnxEngine.open(model_bytes((1, 1)), device)
    binding = engine.bind(stream)
    for _ in range(2):
        binding.close()
        engine.close()
