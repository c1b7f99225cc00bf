"""Install dla_ros itself so that every edit in the checkout counts at once."""

from __future__ import annotations

from pathlib import Path

from provision.stages import key_of, Stage
from provision.venv import Venv

NAME = 'dla_ros'
SHARED = ('package.xml', 'launch', 'config', 'models')
EXECUTABLES = ('bag_player', 'bag_recorder', 'bring_up', 'component_container', 'detector_node')


def install(venv: Venv, root: Path) -> Stage:
    """Install the Python package by reference and show it to the ament index."""

    def act() -> None:
        options = ('--no-deps', '--no-build-isolation', '--use-pep517')
        venv.pip('install', *options, '-e', root)
        _enter_ament_index(venv.folder, root)

    key = key_of(str(root), root / 'setup.py', root / 'setup.cfg', SHARED, EXECUTABLES)
    return Stage('dla_ros', 'installing dla_ros itself', key, act)


def _enter_ament_index(prefix: Path, root: Path) -> None:
    """Link what pip leaves out of an editable install and `ros2 run` and launch files ask for."""
    _link(prefix / 'share/ament_index/resource_index/packages' / NAME, root / 'resource' / NAME)
    for name in SHARED:
        _link(prefix / 'share' / NAME / name, root / name)
    for name in EXECUTABLES:
        _link(prefix / 'lib' / NAME / name, prefix / 'bin' / name)


def _link(link: Path, target: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(target)
