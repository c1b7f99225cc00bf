"""The command ``dla_ros`` as it was installed, for those who run it from another Python."""

import os
from pathlib import Path
import sys


def own_command() -> list[str]:
    """
    Return the words that start the command ``dla_ros``.

    The script that colcon made runs in the Python that the workspace was built with, which has
    the libraries; the `ros2` command of a robot runs in the system's. Where there is no script
    it is the Python that asks.
    """
    for prefix in filter(None, os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)):
        script = Path(prefix, 'lib', 'dla_ros', 'dla_ros')
        if os.access(script, os.X_OK):
            return [str(script)]
    return [sys.executable, '-m', 'dla_ros.cli.main']
