"""Another engine or core for a robot, from the command line."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from dla_ros.config import settings
from dla_ros.errors import RobotError
from dla_ros.robots.paths import find_file
from dla_ros.robots.robot import Robot


def override(robot: Robot, *, engine: str = '', dla_core: str = '') -> Robot:
    """
    Give the robot with another engine or core; ``''`` leaves what the file says.

    Raise RobotError where the robot has several detectors, or a value cannot be.
    """
    given = {'engine': engine, 'dla_core': dla_core}
    words = ' '.join(f'{name}:={value}' for name, value in given.items() if value)
    if not words:
        return robot
    if len(robot.detectors) > 1:
        names = ', '.join(entry.name for entry in robot.detectors)
        raise RobotError(
            f"{words} is for a robot with one detector, and '{robot.name}' has "
            f'{len(robot.detectors)}: {names}; write a robot file of your own'
        )
    entry = robot.detectors[0]
    changes: dict[str, Any] = {}
    if dla_core:
        changes['dla_core'] = _core(dla_core)
    if engine:
        changes['engine_file_path'] = _engine(engine)
        entry = replace(entry, emulate=None)
    entry = replace(entry, parameters={**entry.parameters, **changes})
    return replace(robot, detectors=(entry,))


def _core(text: str) -> int:
    row = settings()['dla_core']
    if not text.isdecimal() or not int(text) <= int(row.high or 0):
        raise RobotError(f'dla_core:={text} must be {row.words()}')
    return int(text)


def _engine(text: str) -> str:
    found = find_file(text, Path.cwd())
    if found is None:
        raise RobotError(
            f"there is no engine '{text}', neither in '{Path.cwd()}' nor in the share folder of "
            'dla_ros; give an absolute path'
        )
    return str(found)
