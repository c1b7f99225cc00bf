"""Choose the Python that the environment is made from, and ask it what it has."""

from __future__ import annotations

from dataclasses import dataclass
import json
import shutil
import subprocess

from provision.process import SetupError

OLDEST, NEWEST = (3, 10), (3, 13)
NAMES = ('python3', 'python3.12', 'python3.11', 'python3.13', 'python3.10')

# Called from an activated environment, the Python that it was made from is asked, so that ours is
# not taken for an installed ROS, and is the same as when called from outside.
WHERE_FROM = """
import os, sys
base = os.path.join(sys.base_exec_prefix, 'bin', 'python%d.%d' % sys.version_info[:2])
print(base if os.path.exists(base) else sys.executable)
"""
WHAT_IT_HAS = """
import importlib.util, json, os, sys, sysconfig
def has(name):
    return importlib.util.find_spec(name) is not None
header = os.path.join(sysconfig.get_path('include'), 'Python.h')
print(json.dumps({
    'path': sys.executable,
    'version': list(sys.version_info[:3]),
    'platform': sysconfig.get_platform(),
    'has_venv': has('venv') and has('ensurepip'),
    'has_headers': os.path.exists(header),
    'modules': [name for name in ('rclpy', 'cv2', 'numpy', 'vision_msgs',
                                  'composition_interfaces') if has(name)],
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """Hold what a Python said about itself."""

    path: str
    version: tuple[int, int, int]
    platform: str
    has_venv: bool
    has_headers: bool
    modules: tuple[str, ...]

    @property
    def has_ros(self) -> bool:
        """Say whether a ROS is sourced: rclpy is there without any environment of ours."""
        return 'rclpy' in self.modules

    @property
    def is_suitable(self) -> bool:
        """Say whether every wheel that dla_ros needs exists for this version."""
        return OLDEST <= self.version[:2] <= NEWEST

    def __str__(self) -> str:
        return f'Python {".".join(map(str, self.version))} ({self.path})'


def find_interpreter(wanted: str) -> Interpreter:
    """Return the wanted Python, or without a wish the first suitable one on PATH."""
    seen = []
    for path in map(shutil.which, NAMES if wanted in ('', 'python3') else (wanted,)):
        interpreter = _ask(path) if path else None
        if interpreter and interpreter.is_suitable:
            return interpreter
        seen.append(str(interpreter or path))
    msg = (
        f'Python 3.10 to 3.13 is needed; found {", ".join(seen)}. '
        'Name one: make setup PYTHON=/path/to/python3.12'
    )
    raise SetupError(msg)


def _ask(path: str) -> Interpreter | None:
    """Return nothing for a name on PATH that does not run, such as a version manager's shim."""
    origin = _output(path, WHERE_FROM).strip()
    answer = json.loads(_output(origin, WHAT_IT_HAS)) if origin else {}
    for name in ('version', 'modules') if answer else ():
        answer[name] = tuple(answer[name])
    return Interpreter(**answer) if answer else None


def _output(path: str, program: str) -> str:
    return subprocess.run([path, '-c', program], capture_output=True, text=True).stdout
