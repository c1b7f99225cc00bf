"""The process of a detector lives, whatever comes and goes while images flood it."""

from pathlib import Path
import subprocess
import sys

import pytest

ROUNDS = 120  # died after 1 to 53 while executors waited for events (-11, or it hung for ever)
PROGRAM = Path(__file__).resolve().parents[3] / 'benchmarks' / 'flood_rounds.py'


@pytest.mark.parametrize('flags', [(), ('--restarting',), ('--container',)])
def test_a_process_survives_activate_and_deactivate_in_a_flood(flags):
    """For a proof: ``benchmarks/flood_rounds.py --rounds 3000``, with the same flags."""
    done = subprocess.run(
        [sys.executable, PROGRAM, '--rounds', str(ROUNDS), *flags],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert f'alive after {ROUNDS} rounds' in done.stdout
    if '--restarting' in flags:  # 20 times a second; that it is told at all is in test_qos.py
        assert done.stderr.count('is not heard') < 10
    else:
        assert ', 0 lost' not in done.stdout.splitlines()[-1], 'it was no flood'
