"""Pass ament's own linters where a ROS install (or the distribution) has them."""

from pathlib import Path
import shutil
import subprocess

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [name for name in ('dla_ros', 'launch', 'scripts', 'setup.py') if (ROOT / name).exists()]


@pytest.mark.parametrize(
    ('linter', 'paths'),
    [('ament_flake8', SOURCES), ('ament_pep257', SOURCES), ('ament_xmllint', ['package.xml'])],
    ids=lambda value: value if isinstance(value, str) else '',
)
def test_ament_finds_nothing(linter, paths):
    if not shutil.which(linter):
        pytest.skip(f'{linter} comes with a ROS install: sudo apt install python3-{linter}')
    said = subprocess.run([linter, *paths], cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
