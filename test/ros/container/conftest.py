"""A container in this process, and a client that asks it over DDS as ``ros2 component`` does."""

from pathlib import Path

from composition_interfaces.srv import ListNodes, LoadNode, UnloadNode
from dla_ros.ros.container.container import ComponentContainer
from dla_ros.ros.lifecycle_client import LifecycleClient
import pytest
from rclpy.parameter import Parameter

NODES = 'robot_parts::nodes.'


@pytest.fixture
def robot_parts(monkeypatch):
    """Make the nodes of a user importable, fresh for each test, and open their gate at the end."""
    import sys

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
        assert node.end(10)
        node.destroy_node()


@pytest.fixture
def box(open_box):
    """Give a container with default settings."""
    return open_box()


@pytest.fixture
def wait_until(client_node):
    """Give a function that spins the client until a condition holds, and tells whether it did."""

    def wait(is_over, tries=200):
        for _ in range(tries):
            if is_over():
                return True
            client_node.own_executor.spin_once(timeout_sec=0.05)
        return False

    return wait
