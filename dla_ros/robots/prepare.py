"""Making what a robot needs before its first start, in a Python that can."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
import subprocess

from dla_ros.errors import RobotError
from dla_ros.installation.own_command import own_command
from dla_ros.robots.emulate import with_engine, with_loadables
from dla_ros.robots.robot import Robot

_MAKERS = ('onnx', 'onnxruntime', 'flatbuffers')


def prepared(robot: Robot) -> Robot:
    """
    Return the robot with an engine in place of every model to emulate.

    `ros2 launch` runs in the system's Python, which may lack what the workspace was built with;
    the command ``dla_ros`` makes loadables for it then. Raise a DlaRosError where none is made.
    """
    if all(entry.emulate is None for entry in robot.detectors) or _can_make():
        return with_loadables(robot)
    made = _made_by_command(robot.path)
    found = [with_engine(entry, made[entry.name]) if entry.emulate else entry
             for entry in robot.detectors]  # fmt: skip
    return replace(robot, detectors=tuple(found))


def _can_make() -> bool:
    return all(find_spec(name) is not None for name in _MAKERS)


def _made_by_command(robot: Path) -> dict[str, Path]:
    """Return the engine of each detector, as ``dla_ros robot prepare`` prints them."""
    words = [*own_command(), 'robot', 'prepare', str(robot)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().removeprefix('dla_ros robot: ')
        raise RobotError(reason or f'{words[0]} ended with exit code {done.returncode}')
    rows = (line.partition(': ') for line in done.stdout.splitlines())
    return {name: Path(engine) for name, _, engine in rows}
