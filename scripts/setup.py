"""
Make the virtual environment that tests, demo and checks run in.

`python3 scripts/setup.py --venv .venv`, or `make setup`. Standard library only. Each stage
leaves a stamp inside the environment; a stage whose inputs are unchanged is not run again,
one that was interrupted is.
"""

from __future__ import annotations

import argparse
import fcntl
import os
from pathlib import Path
import sys
import time

from provision import interfaces, packages, prerequisites, this_package
from provision.interpreter import find_interpreter
from provision.process import forget_other_environments, SetupError
from provision.stages import run_stages, Stage
from provision.venv import make_venv, Venv

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Set the environment up, or say in one sentence why not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--venv', type=Path, default=Path('.venv'), help='folder to make')
    folder = ROOT / parser.parse_args().venv
    try:
        with Path(__file__).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            set_up(folder, os.environ.get('ROS_DISTRO', 'kilted'))
    except SetupError as err:
        print(f'dla_ros set-up: {err}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print('dla_ros set-up: interrupted; the next call starts afresh', file=sys.stderr)
        return 130
    return 0


def set_up(folder: Path, distro: str) -> None:
    """Run every stage whose inputs changed."""
    forget_other_environments()
    interpreter = find_interpreter(os.environ.get('PYTHON', ''))
    prerequisites.check(interpreter, distro)
    started = time.monotonic()
    venv = make_venv(folder, interpreter, distro)
    if run_stages(venv.folder, stages(venv, distro)):
        print(f'dla_ros set-up: {folder.name} ready in {time.monotonic() - started:.0f} s')


def stages(venv: Venv, distro: str) -> list[Stage]:
    """List what happens inside the environment, in order."""
    last = this_package.install(venv, ROOT)
    if venv.interpreter.has_ros:
        return [packages.for_sourced_ros(venv, ROOT), last]
    wheels = packages.with_ros_wheels(venv, ROOT, distro)
    return [wheels, interfaces.install(venv, ROOT, distro), last]


if __name__ == '__main__':
    sys.exit(main())
