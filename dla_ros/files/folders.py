"""Folders of the user who runs the process: there may be none, as for a service without a home."""

import os
from pathlib import Path

from dla_ros.errors import ConfigError


def cache_folder() -> Path:
    """
    Return where what costs time to make is kept: under XDG_CACHE_HOME, else ~/.cache.

    A relative XDG_CACHE_HOME does not count (XDG Base Directory Specification): it would be
    another folder wherever a process is started.
    Raise ConfigError for a user without a home who has not set it.
    """
    root = os.environ.get('XDG_CACHE_HOME', '')
    return (
        Path(root) if os.path.isabs(root) else expand('~/.cache', 'XDG_CACHE_HOME')
    ) / 'dla_ros'


def ros_folder() -> Path:
    """Return where ROS keeps files of the user: ROS_HOME, else ~/.ros; ConfigError as above."""
    root = os.environ.get('ROS_HOME')
    return Path(root) if root else expand('~/.ros', 'ROS_HOME')


def expand(path: str, variable: str = '') -> Path:
    """
    Return a path with ``~`` as the user's home, ``~name`` as that of another.

    Raise ConfigError, naming the ``variable`` that gives another place, where there is none.
    """
    try:
        return Path(path).expanduser()
    except (RuntimeError, ValueError) as err:
        remedy = f'set {variable} to a folder that can be written' if variable else (
            'write the whole path'
        )  # fmt: skip
        raise ConfigError(
            f"'{path}' cannot be found: there is no home directory (HOME is not set, or there is "
            f'no such user); {remedy}'
        ) from err
