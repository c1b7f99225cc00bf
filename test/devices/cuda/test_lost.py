"""A GPU lost in the middle is told, closing still ends, and opening again says what to do."""

from pathlib import Path
import subprocess
import sys


def test_a_lost_gpu_is_told_and_everything_still_closes(gpu, tmp_path):
    program = Path(__file__).with_name('lose_the_gpu.py')
    said = subprocess.run(
        [sys.executable, str(program), str(tmp_path)], capture_output=True, text=True, timeout=100
    )
    lines = said.stdout.strip().splitlines()
    assert [line.partition(':')[0] for line in lines] == (
        ['found', 'found', 'failed', 'closed', 'again']
    ), said.stdout + said.stderr
    assert lines[2].startswith('failed: DLA core 0 (emulated): ')
    assert 'GPU context of this process is lost; end the process' in lines[-1]
