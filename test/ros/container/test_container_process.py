"""The executable as a process: signals, exit code, what is left behind."""

import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from composition_interfaces.srv import LoadNode
from dla_ros.ros.lifecycle_client import LifecycleClient
import pytest
from rclpy.parameter import Parameter

PATIENCE_S = 20  # so long may a loaded machine take; the container itself ends within 2 s
# what `python -m dla_ros.ros.container_main` does, and then a look at the emulated DLA
PROGRAM = """
from dla_ros.emulator import running
from dla_ros.ros.container_main import main
code = main()
report = running().report()
print('left:', report.open_handles, report.registrations, report.leaks, flush=True)
raise SystemExit(code)
"""


class ContainerProcess:
    """A container in a process of its own, its output in a file, and a client."""

    def __init__(self, log, client_node, arguments):
        self.log = log
        self._node = client_node
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

    def start_loading(self, package, plugin, name='', **parameters):
        messages = [Parameter(key, value=v).to_parameter_msg() for key, v in parameters.items()]
        request = LoadNode.Request(package_name=package, node_name=name, parameters=messages)
        request.plugin_name = f'{package}::{plugin}'
        return self._load.call_async(request)

    def load_active_detector(self, name, engine):
        future = self.start_loading(
            'dla_ros', 'DetectorNode', name, engine_file_path=str(engine), dla_device='emulator'
        )
        self._node.own_executor.spin_until_future_complete(future, PATIENCE_S)
        assert future.result().success
        lifecycle = LifecycleClient(self._node, self._node.own_executor, f'/{name}')
        lifecycle.wait(PATIENCE_S)
        assert lifecycle.change('configure')
        assert lifecycle.change('activate')

    def interrupt(self, number=signal.SIGINT, times=1):
        for _ in range(times):
            self.process.send_signal(number)
            time.sleep(0.02)
        return self.process.wait(PATIENCE_S)


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


@pytest.mark.parametrize(('number', 'times'), [(signal.SIGINT, 1), (signal.SIGTERM, 1),
                                               (signal.SIGINT, 2)])  # fmt: skip
def test_a_signal_ends_the_container_and_gives_every_device_back(
    open_process, shapes, number, times
):
    container = open_process('-c', PROGRAM)
    container.load_active_detector('left', shapes / 'shapes.dla')
    container.load_active_detector('right', shapes / 'shapes.dla')
    assert container.interrupt(number, times) == 0
    text = container.log.read_text()
    assert 'left: 0 0 ()' in text
    assert 'Traceback' not in text


def test_a_signal_while_a_node_is_being_made_ends_the_container(open_process, client_node):
    container = open_process('-m', 'dla_ros.ros.container_main')
    container.start_loading('robot_parts', 'nodes.Slow')
    deadline = time.monotonic() + PATIENCE_S
    while 'slow' not in client_node.get_node_names():
        assert time.monotonic() < deadline
        client_node.own_executor.spin_once(timeout_sec=0.05)
    assert container.interrupt() == 0
    assert 'Traceback' not in container.log.read_text()


def test_an_executor_that_does_not_exist_is_told(tmp_path):
    arguments = ['--ros-args', '-p', 'executor:=turbo']
    ended = subprocess.run(
        [sys.executable, '-m', 'dla_ros.ros.container_main', *arguments],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert "no executor 'turbo'; use auto, events, single or multi" in ended.stderr
