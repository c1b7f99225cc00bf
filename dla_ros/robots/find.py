"""Where the file of a robot lies."""

import os
from pathlib import Path

from dla_ros.errors import RobotError
from dla_ros.files.folders import expand
from dla_ros.files.regular_file import open_regular
from dla_ros.installation.share import share_file

_FOLDER = 'config/robots'
_SUFFIXES = {'.yaml', '.yml'}


def find_robot(robot: str) -> Path:
    """
    Give the file of a robot: a path, or the name of one that comes with this package.

    Raise RobotError, naming the robots there are, where it is neither.
    """
    path = expand(robot)
    if path.suffix in _SUFFIXES or path.name != robot:
        return _checked(path, robot)
    known = {each.stem: each for each in shipped_robots()}
    if robot not in known and os.path.isdir(path):
        raise _is_a_directory(path)
    if robot not in known:
        raise RobotError(
            f"there is no robot '{robot}'; known are: {', '.join(known)}; or give the path of a "
            'robot file, as robots/mine.yaml'
        )
    return known[robot]


def _checked(path: Path, robot: str) -> Path:
    try:
        open_regular(path).close()
    except FileNotFoundError as err:
        raise RobotError(f"there is no robot file '{robot}' (looked in '{Path.cwd()}')") from err
    except IsADirectoryError as err:
        raise _is_a_directory(path) from err
    except OSError as err:
        raise RobotError(f"'{robot}' is no robot file: {err.strerror or err}") from err
    return path.absolute()


def _is_a_directory(path: Path) -> RobotError:
    files = sorted(str(each) for each in path.glob('*') if each.suffix in _SUFFIXES)
    inside = f'name a file in it: {", ".join(files)}' if files else 'and has no *.yaml in it'
    return RobotError(f"'{path}' is a directory, not a robot file; {inside}")


def shipped_robots() -> list[Path]:
    """List the robot files of this package, by name."""
    return sorted(share_file(_FOLDER).glob('*.yaml'))
