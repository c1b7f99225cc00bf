"""
Build and test dla_ros with colcon, as a robot team does.

`make colcon` runs this with the Python of the environment. colcon wants an older setuptools
than the environment has, so it goes to a folder of its own and is seen by this run only.
"""

from __future__ import annotations

import os
from pathlib import Path
import re
import subprocess
import sys

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / 'build' / 'colcon' / Path(sys.prefix).name.lstrip('.')
TOOLS = PLACE / 'tools'
REQUIREMENTS = ROOT / 'requirements' / 'colcon.txt'


def main(pytest_args: list[str]) -> int:
    """Install colcon, build, test; fail if anything fails or if no test ran."""
    install_colcon()
    select = ['--packages-select', 'dla_ros']
    chosen = ['--pytest-args', *pytest_args] if pytest_args else []
    colcon('build', *select)
    colcon('test', *select, '--event-handlers', 'console_direct+', *chosen)
    results = colcon('test-result', '--all', '--verbose', capture=True)
    return 0 if tests_in(results) else 1


def install_colcon() -> None:
    """Install colcon once."""
    done = TOOLS / 'requirements.txt'
    if done.exists() and done.read_text() == REQUIREMENTS.read_text():
        return
    pip = [sys.executable, '-m', 'pip', '--disable-pip-version-check', 'install', '-q']
    subprocess.run([*pip, '--upgrade', '--target', TOOLS, '-r', REQUIREMENTS], check=True)
    done.write_text(REQUIREMENTS.read_text())


def colcon(verb: str, *arguments: str, capture: bool = False) -> str:
    """Run one verb of colcon on this checkout; return what it said if captured."""
    command = [sys.executable, '-m', 'colcon', '--log-base', str(PLACE / 'log')]
    done = subprocess.run(
        [*command, verb, *folders(verb), *arguments],
        cwd=ROOT,
        env={**os.environ, 'PYTHONPATH': python_path()},
        text=True,
        stdout=subprocess.PIPE if capture else None,
    )
    print(done.stdout or '', end='', flush=True)
    if done.returncode:
        sys.exit(f'colcon {verb} failed with status {done.returncode}')
    return done.stdout or ''


def python_path() -> str:
    """Put colcon's folder before what a sourced ROS has there."""
    return os.pathsep.join(filter(None, [str(TOOLS), os.environ.get('PYTHONPATH')]))


def folders(verb: str) -> list[str]:
    """Name the folders that a verb reads and writes, all of them git-ignored."""
    build = str(PLACE / 'build')
    if verb == 'test-result':
        return ['--test-result-base', build]
    install = str(PLACE / 'install')
    return ['--build-base', build, '--install-base', install, '--base-paths', str(ROOT)]


def tests_in(results: str) -> int:
    """Return how many tests colcon counted; it calls zero a success."""
    counted = re.search(r'Summary: (\d+) tests', results)
    count = int(counted.group(1)) if counted else 0
    print(f'colcon ran {count} tests')
    return count


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
