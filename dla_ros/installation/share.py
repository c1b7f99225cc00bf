"""Files that come with the package: config, models, data."""

import os
from pathlib import Path
import sys

from dla_ros.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parents[1]


def share_file(name: str) -> Path:
    """
    Give a file of the package, as ``config/fastdds.xml``.

    It lies in the source tree beside the Python package, or, installed by colcon or pip, in
    PREFIX/share/dla_ros. Raise ConfigError if it is in neither.
    """
    prefixes = [*_PACKAGE.parents, Path(sys.prefix)]
    places = [_PACKAGE.parent / name, *(p / 'share' / 'dla_ros' / name for p in prefixes)]
    for place in places:
        if os.path.exists(place):  # unlike Path.exists not raising for what no file can be called
            return place
    raise ConfigError(
        f"'{name}' of dla_ros is not installed; build the package again: colcon build"
    )
