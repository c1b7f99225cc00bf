"""What a running node says to the network: nothing but DDS, and nothing is left in its home."""

from pathlib import Path
import subprocess
import sys

import pytest
from vision_msgs.msg import Detection2DArray

LOOPBACK = ('127.', '::1')


@pytest.fixture
def network(tmp_path, monkeypatch):
    """Preload the shim into processes started from here; return a function that reads its log."""
    library, log = tmp_path / 'watch_network.so', tmp_path / 'network.log'
    source = Path(__file__).parent / 'watch_network.c'
    subprocess.run(['cc', '-shared', '-fPIC', '-o', library, source, '-ldl'], check=True)
    monkeypatch.setenv('LD_PRELOAD', str(library))
    monkeypatch.setenv('WATCH_NETWORK', str(log))
    return lambda: log.read_text().splitlines() if log.exists() else []


def to_strangers(lines):
    return [line for line in lines if not line.split()[-1].startswith(LOOPBACK)]


def test_the_shim_sees_a_look_up_and_a_connection(network):
    program = (
        'import socket; socket.getaddrinfo("localhost", 80)\n'
        'socket.socket(type=socket.SOCK_DGRAM).connect(("127.0.0.9", 9))'
    )
    subprocess.run([sys.executable, '-c', program], check=True)
    assert 'looked up localhost' in network()
    assert 'connected to 127.0.0.9' in network()


@pytest.mark.parametrize('engine', ['shapes.dla', 'shapes.onnx'])
def test_a_node_with_onnx_runtime_calls_nobody_and_leaves_no_id(
    network, engine, open_process, client_node, shapes, tmp_path, monkeypatch
):
    home = tmp_path / 'home'
    home.mkdir()
    for name in ('XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv('HOME', str(home))
    monkeypatch.setenv('ROS_HOME', str(tmp_path / 'ros'))
    node = open_process(engine_file_path=shapes / engine)
    detections = []
    client_node.create_subscription(Detection2DArray, 'detections', detections.append, 10)
    node.show(lambda: len(detections) > 2)
    assert node.interrupt() == 0
    assert to_strangers(network()) == []
    left = [path for path in home.rglob('*') if path.is_file()]
    assert [path for path in left if 'dla_ros' not in path.parts] == []
