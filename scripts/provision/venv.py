"""Make the virtual environment itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
import shutil

from provision.interpreter import Interpreter
from provision.process import run
from provision.stages import key_of, was_interrupted


@dataclass(frozen=True)
class Venv:
    """Name an environment and the Python it was made from."""

    folder: Path
    interpreter: Interpreter

    @property
    def python(self) -> Path:
        """Return the environment's own Python."""
        return self.folder / 'bin' / 'python'

    @property
    def site_packages(self) -> Path:
        """Return the folder that pip installs into."""
        major, minor, _ = self.interpreter.version
        return self.folder / 'lib' / f'python{major}.{minor}' / 'site-packages'

    def pip(self, verb: str, *arguments: object) -> None:
        """Run pip of this environment."""
        run(self.python, '-m', 'pip', '--disable-pip-version-check', verb, '-q', *arguments)


def make_venv(folder: Path, interpreter: Interpreter, distro: str) -> Venv:
    """Return the environment; a finished one is kept if it was made the same way."""
    venv = Venv(folder, interpreter)
    key = key_of(str(folder), interpreter.path, interpreter.version, interpreter.has_ros, distro)
    stamp = folder / '.made'
    finished = venv.python.exists() and stamp.exists() and not was_interrupted(folder)
    if finished and stamp.read_text() == key:
        return venv
    if folder.exists():
        shutil.rmtree(folder)
    options = ['--system-site-packages'] if interpreter.has_ros else []
    origin = f'ROS {distro} as sourced' if interpreter.has_ros else f'ROS {distro} from wheels'
    print(f'dla_ros set-up: making {folder.name} from {interpreter}, {origin}', flush=True)
    run(interpreter.path, '-m', 'venv', *options, folder)
    stamp.write_text(key)
    return venv
