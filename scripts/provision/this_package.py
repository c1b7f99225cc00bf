"""Install dla_ros itself so that every edit in the checkout counts at once."""

from __future__ import annotations

from collections.abc import Iterable
import json
from pathlib import Path
import shutil
import subprocess
from typing import Any

from provision.process import SetupError
from provision.stages import key_of, Stage
from provision.venv import Venv

NAME = 'dla_ros'
FOLDERS = ('completion', 'config', 'launch', 'models', 'resource')
# setuptools before distutils, which Python 3.12 has only from there.
DATA_FILES = """
import json, setuptools
from distutils.core import run_setup
print(json.dumps(run_setup('setup.py', stop_after='init').data_files))
"""
SCRIPTS = """
import json
from importlib.metadata import distribution
points = distribution('dla_ros').entry_points
print(json.dumps([point.name for point in points if point.group == 'console_scripts']))
"""


def install(venv: Venv, root: Path) -> Stage:
    """Install the Python package by reference and show it to the ament index."""

    def act() -> None:
        options = ('--no-deps', '--no-build-isolation', '--use-pep517')
        venv.pip('install', *options, '-e', root)
        shutil.rmtree(venv.folder / 'share' / NAME, ignore_errors=True)
        link_data_files(venv.folder, root, _ask(venv, root, DATA_FILES))
        link_scripts(venv.folder, _ask(venv, root, SCRIPTS))

    sources = (root / 'setup.py', root / 'setup.cfg', Path(__file__))
    key = key_of(str(root), *sources, *_names(root))
    return Stage('dla_ros', 'installing dla_ros itself', key, act)


def link_data_files(prefix: Path, root: Path, wanted: Iterable[tuple[str, list[str]]]) -> None:
    """
    Link what pip leaves out of an editable install, each file by itself.

    `ros2 launch` finds a launch file by walking through share/, and does not follow links to
    folders. What goes to bin/ is left out: pip has made that script.
    """
    for folder, names in wanted:
        for name in names if folder != 'bin' else ():
            _link(prefix / folder / Path(name).name, root / name)


def link_scripts(prefix: Path, names: Iterable[str]) -> None:
    """Link executables to where `ros2 run` and launch look for them."""
    for name in names:
        _link(prefix / 'lib' / NAME / name, prefix / 'bin' / name)


def _ask(venv: Venv, root: Path, program: str) -> Any:
    words = [str(venv.python), '-c', program]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True)
    if done.returncode:
        msg = f'{venv.python} cannot tell what belongs to {NAME}:\n{done.stderr}'
        raise SetupError(msg)
    return json.loads(done.stdout.splitlines()[-1])


def _names(root: Path) -> list[str]:
    """Name the files that may be linked, so that a new one is linked by the next set-up."""
    found = [path for name in FOLDERS for path in (root / name).rglob('*') if path.is_file()]
    return sorted(str(path) for path in found if path.suffix != '.pyc')


def _link(link: Path, target: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(target)
