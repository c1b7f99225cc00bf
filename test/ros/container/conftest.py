"""A container in this process, and a client that asks it over DDS as ``ros2 component`` does."""

import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from composition_interfaces.srv import ListNodes, LoadNode, UnloadNode
from dla_ros.ros.container.container import ComponentContainer
from dla_ros.ros.lifecycle_client import LifecycleClient
import pytest
from rclpy.parameter import Parameter

NODES = 'robot_parts::nodes.'
PATIENCE_S = 20  # so long may a loaded machine take; the container itself ends within 2 s
# what `python -m dla_ros.ros.container_main` does, and then a look at the emulated DLA
PROGRAM = """
import ctypes, gc, signal
from dla_ros.ros.container_main import main

def give_back(*_):
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    print('gave back', flush=True)

signal.signal(signal.SIGUSR1, give_back)
code = main()
from dla_ros.emulator import running  # not before main: it starts threads
report = running().report()
print('left:', report.open_handles, report.registrations, report.leaks, flush=True)
raise SystemExit(code)
"""


@pytest.fixture
def robot_parts(monkeypatch):
    """Make the nodes of a user importable, fresh for each test, and open their gate at the end."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    for name in [name for name in sys.modules if name.startswith('robot_parts')]:
        monkeypatch.delitem(sys.modules, name)
    import robot_parts.nodes as nodes

    yield nodes
    nodes.gate.set()


class Box:
    """A spun container and its clients."""

    def __init__(self, node, client_node):
        self.node = node
        self._client_node = client_node
        self._clients = {}

    def ask(self, kind, label, **fields):
        """Call a service and give its future."""
        name = f'/component_container/_container/{label}'
        if name not in self._clients:
            self._clients[name] = self._client_node.create_client(kind, name)
            assert self._clients[name].wait_for_service(10)
        return self._clients[name].call_async(kind.Request(**fields))

    def answer(self, future):
        self._client_node.own_executor.spin_until_future_complete(future, 20)
        assert future.done()
        return future.result()

    def spin_once(self):
        """Let the client send and hear."""
        self._client_node.own_executor.spin_once(timeout_sec=0.05)

    def start_loading(self, plugin, package='robot_parts', parameters=None, extra=None, **fields):
        """Ask for a node; parameters and extra arguments are name to value."""
        return self.ask(
            LoadNode, 'load_node', package_name=package,
            plugin_name=plugin if '::' in plugin else f'{NODES}{plugin}',
            parameters=_messages(parameters), extra_arguments=_messages(extra), **fields,
        )  # fmt: skip

    def load(self, plugin, **fields):
        return self.answer(self.start_loading(plugin, **fields))

    def start_unloading(self, number):
        return self.ask(UnloadNode, 'unload_node', unique_id=number)

    def unload(self, number):
        return self.answer(self.start_unloading(number))

    def list(self):
        """Give unique ids and names."""
        found = self.answer(self.ask(ListNodes, 'list_nodes'))
        return dict(zip(found.unique_ids, found.full_node_names, strict=True))

    def inner(self, number):
        """Give the node object itself, which only a test in the same process may touch."""
        return self.node._tenants._tenants[number].node

    def lifecycle(self, name):
        client = LifecycleClient(self._client_node, self._client_node.own_executor, name)
        client.wait(10)
        return client


def _messages(values):
    return [Parameter(name, value=v).to_parameter_msg() for name, v in (values or {}).items()]


@pytest.fixture
def open_box(spinning, client_node, robot_parts):
    """Give a function that opens a container; its parameters are keywords."""
    opened = []

    def make(**values):
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        node = ComponentContainer(parameter_overrides=overrides)
        opened.append(node)
        spinning(node, executor=values.get('executor', 'auto'))
        return Box(node, client_node)

    yield make
    robot_parts.gate.set()
    for node in opened:
        assert any(node.end(10) for _ in range(3)), 'an unload of before may still be at it'
        node.destroy_node()


@pytest.fixture
def box(open_box):
    """Give a container with default settings."""
    return open_box()


@pytest.fixture
def wait_until(client_node):
    """Give a function that spins the client until a condition holds, and tells whether it did."""

    def wait(is_over):
        deadline = time.monotonic() + PATIENCE_S
        while not is_over():
            if time.monotonic() > deadline:
                return False
            client_node.own_executor.spin_once(timeout_sec=0.05)
        return True

    return wait


class ContainerProcess:
    """A container in a process of its own, its output in a file, and a client."""

    def __init__(self, log, client_node, arguments):
        self.log = log
        self._node = client_node
        self._lifecycles = {}
        path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        with log.open('w') as file:
            self.process = subprocess.Popen(
                [sys.executable, *arguments], stdout=file, stderr=file,
                env={**os.environ, 'PYTHONPATH': path},
            )  # fmt: skip
        self._load = client_node.create_client(
            LoadNode, '/component_container/_container/load_node'
        )
        assert self._load.wait_for_service(PATIENCE_S), log.read_text()

    def start_loading(self, package, plugin, name='', extra_arguments=(), **parameters):
        messages = [Parameter(key, value=v).to_parameter_msg() for key, v in parameters.items()]
        request = LoadNode.Request(package_name=package, node_name=name, parameters=messages)
        request.plugin_name = f'{package}::{plugin}'
        request.extra_arguments = list(extra_arguments)
        return self._load.call_async(request)

    def load_active_detector(self, name, engine, **parameters):
        """Give the unique id of a detector that is ready for images."""
        future = self.start_loading(
            'dla_ros', 'DetectorNode', name,
            engine_file_path=str(engine), dla_device='emulator', **parameters,
        )  # fmt: skip
        self._node.own_executor.spin_until_future_complete(future, PATIENCE_S)
        assert future.result().success, future.result().error_message
        if name not in self._lifecycles:
            executor = self._node.own_executor
            self._lifecycles[name] = LifecycleClient(self._node, executor, f'/{name}')
        lifecycle = self._lifecycles[name]
        lifecycle.wait(PATIENCE_S)
        assert lifecycle.change('configure')
        assert lifecycle.change('activate')
        return future.result().unique_id

    def interrupt(self, number=signal.SIGINT, times=1):
        for _ in range(times):
            self.process.send_signal(number)
            time.sleep(0.02)
        return self.process.wait(PATIENCE_S)


@pytest.fixture
def program():
    """
    Give a program that runs a container and then tells what the emulated DLA still holds.

    On SIGUSR1 it collects garbage and gives free heap back, so that its memory can be compared:
    by itself it keeps its high-water mark (tune_malloc).
    """
    return PROGRAM


@pytest.fixture
def open_process(client_node, tmp_path):
    opened = []

    def make(*arguments):
        opened.append(ContainerProcess(tmp_path / 'log', client_node, arguments))
        return opened[-1]

    yield make
    for each in opened:
        each.process.kill()
        each.process.wait()
