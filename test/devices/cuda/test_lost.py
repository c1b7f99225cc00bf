"""A GPU lost in the middle is told, closing still ends, and opening again says what to do."""

from pathlib import Path
import subprocess
import sys


def test_a_lost_gpu_is_told_and_everything_still_closes(gpu, tmp_path):
    program = Path(__file__).with_name('lose_the_gpu.py')
    said = subprocess.run(
        [sys.executable, str(program), str(tmp_path)],
        capture_output=True, text=True, timeout=100, check=True,
    )  # fmt: skip
    first, again = said.stdout.strip().splitlines()[-2:]
    assert first.startswith('1 found, then: EngineError DLA core 0 (emulated): ')
    assert 'the GPU context of this process is lost; end the process' in first
    assert again.startswith('again: ')
    assert 'is lost; end the process' in again
