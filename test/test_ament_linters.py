"""Pass ament's own linters where a ROS install (or the distribution) has them."""

from pathlib import Path
import re
import shutil
import subprocess

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [name for name in ('dla_ros', 'launch', 'scripts', 'setup.py') if (ROOT / name).exists()]


# A finding: path:line[:column]: or path:line in function `x`: and the code.
FINDING = re.compile(r'^\S+\.(?:py|xml):\d+.*', re.MULTILINE)
# The formatter puts spaces around the colon of a slice of expressions, as PEP 8 wants it.
ALLOWED = ' E203 '


def run(linter, *paths):
    if not shutil.which(linter):
        pytest.skip(f'{linter} comes with a ROS install: sudo apt install python3-{linter}')
    return subprocess.run([linter, *paths], cwd=ROOT, capture_output=True, text=True)


def test_ament_flake8_finds_nothing():
    said = run('ament_flake8', *SOURCES)
    assert not [line for line in FINDING.findall(said.stdout) if ALLOWED not in line]
    assert 'files checked' in said.stdout, said.stderr


def test_ament_pep257_finds_nothing():
    said = run('ament_pep257', *SOURCES)
    assert said.returncode == 0, said.stdout + said.stderr


def test_ament_xmllint_finds_nothing():
    said = run('ament_xmllint', 'package.xml')
    assert said.returncode == 0, said.stdout + said.stderr
