import json
from pathlib import Path
import subprocess
import sys

from dla_ros.emulator.build import emulate
from dla_ros.scene.null_network import build_null_network
import pytest

PROBE = Path(__file__).resolve().parents[2] / 'scripts' / 'probe_dla.py'


@pytest.fixture
def probe(tmp_path):
    (tmp_path / 'net.onnx').write_bytes(build_null_network((32, 48)))
    emulate(tmp_path / 'net.onnx', tmp_path / 'net.dla')

    def run(*words):
        command = [sys.executable, str(PROBE), str(tmp_path / 'net.dla'), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, json.loads(done.stdout)

    return run


def test_it_shows_what_cudla_reports(probe):
    code, found = probe('--emulated')
    assert code == 0
    assert (found['version'], found['cores']) == (1_005_000, 2)
    (tensor,) = found['inputs']
    assert [tensor[key] for key in ('n', 'c', 'h', 'w', 'size')] == [1, 3, 32, 48, 32 * 48 * 32]
    assert tensor['stride'][:3] == [2, 48 * 32, 32 * 48 * 32]
    assert found['file says']['inputs'] == ['images 1x3x32x48 fp16:chw16']


def test_what_was_learned_before_a_refusal_is_kept(probe):
    code, found = probe('--emulated', '--core', '2')
    assert code == 1
    assert 'DLA cores 0 to 1' in found['refused']
    assert found['cores'] == 2
