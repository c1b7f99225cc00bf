"""The executable as a process: signals, exit code, what is left behind."""

import signal
import subprocess
import sys
import time

import pytest

PATIENCE_S = 20  # so long may a loaded machine take; the container itself ends within 2 s


@pytest.mark.parametrize(('number', 'times'), [(signal.SIGINT, 1), (signal.SIGTERM, 1),
                                               (signal.SIGINT, 2)])  # fmt: skip
def test_a_signal_ends_the_container_and_gives_every_device_back(
    open_process, program, shapes, number, times
):
    container = open_process('-c', program)
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
