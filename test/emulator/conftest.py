from contextlib import ExitStack

from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator import EmulatorOptions, start
from dla_ros.emulator.build import emulate
from dla_ros.loadable.loadable import Loadable
import onnx
from onnx import helper, TensorProto
import pytest


def network(dims=(1, 3, 6, 10)):
    """Give an ONNX model: x goes to `double` = 2x and `half` = x/2 - 1."""
    constants = [
        helper.make_tensor(name, TensorProto.FLOAT, [], [value])
        for name, value in (('two', 2.0), ('point', 0.5), ('one', 1.0))
    ]
    nodes = [
        helper.make_node('Mul', ['x', 'two'], ['double']),
        helper.make_node('Mul', ['x', 'point'], ['scaled']),
        helper.make_node('Sub', ['scaled', 'one'], ['half']),
    ]
    ports = {
        name: helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
        for name in ('x', 'double', 'half')
    }
    graph = helper.make_graph(
        nodes, 'g', [ports['x']], [ports['double'], ports['half']], constants
    )
    opset = [helper.make_opsetid('', 17)]
    return helper.make_model(graph, opset_imports=opset, ir_version=8)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / 'net.onnx'
    onnx.save(network(), path)
    return path


@pytest.fixture
def loadable(tmp_path, model):
    path = tmp_path / 'net.dla'
    emulate(model, path)
    return path


@pytest.fixture
def emulator():
    """Start it healthy, and leave it healthy for the next test."""
    running = start(EmulatorOptions())
    yield running
    start(EmulatorOptions())


@pytest.fixture
def device():
    with HostDevice.open() as device:
        yield device


class Bench:
    """Use the real cuda.bindings.cudla by hand, and put everything back in the end."""

    def __init__(self, device, stack):
        from cuda.bindings import cudla

        self.cudla = cudla
        self.device = device
        self._stack = stack

    def open(self, core=0):
        handle = self.cudla.create_device(core, 0)
        self._stack.callback(self._try, 'destroy_device', handle)
        return handle

    def load(self, handle, path):
        data = path.read_bytes()
        return self.cudla.module_load_from_memory(handle, data, len(data), 0)

    def stream(self):
        stream = self.device.open_stream()
        self._stack.callback(stream.close)
        return stream

    def memory(self, nbytes):
        buffer = self.device.allocate(nbytes)
        self._stack.callback(buffer.close)
        return buffer

    def task(self, handle, path):
        """Load a network and give a task with registered memory, and that memory."""
        module = self.load(handle, path)
        loadable = Loadable.read(path)
        buffers = [self.memory(spec.size) for spec in loadable.inputs + loadable.outputs]
        mapped = [
            self.cudla.mem_register(handle, buffer.address, buffer.nbytes, 0) for buffer in buffers
        ]
        task = self.cudla.Task()
        task.module_handle = module
        count = len(loadable.inputs)
        task.input_tensor, task.output_tensor = mapped[:count], mapped[count:]
        return task, buffers, mapped

    def status(self, call, *arguments):
        """Call and give the status, 0 for success."""
        try:
            getattr(self.cudla, call)(*arguments)
        except self.cudla.CudlaError as error:
            return error.status
        return 0

    def _try(self, call, *arguments):
        self.status(call, *arguments)


@pytest.fixture
def bench(emulator, device):
    with ExitStack() as stack:
        yield Bench(device, stack)
