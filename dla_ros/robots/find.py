"""Where the file of a robot lies."""

from pathlib import Path

from dla_ros.errors import RobotError
from dla_ros.folders import expand
from dla_ros.regular_file import is_regular
from dla_ros.share import share_file

_FOLDER = 'config/robots'
_SUFFIXES = {'.yaml', '.yml'}


def find_robot(robot: str) -> Path:
    """
    Give the file of a robot: a path, or the name of one that comes with this package.

    Raise RobotError, naming the robots there are, where it is neither.
    """
    path = expand(robot)
    if path.suffix in _SUFFIXES or path.name != robot:
        if is_regular(path):
            return path.absolute()
        raise RobotError(f"there is no robot file '{robot}' (looked in '{Path.cwd()}')")
    known = {each.stem: each for each in shipped_robots()}
    if robot not in known:
        raise RobotError(
            f"there is no robot '{robot}'; known are: {', '.join(known)}; or give the path of a "
            'robot file, as robots/mine.yaml'
        )
    return known[robot]


def shipped_robots() -> list[Path]:
    """List the robot files of this package, by name."""
    return sorted(share_file(_FOLDER).glob('*.yaml'))
