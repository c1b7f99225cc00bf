"""Where the files lie that a robot file speaks of."""

from pathlib import Path

from dla_ros.errors import ConfigError
from dla_ros.files.folders import expand
from dla_ros.files.regular_file import is_regular
from dla_ros.installation.share import share_file


def find_file(text: str, folder: Path) -> Path | None:
    """
    Give the absolute path of a file: beside the robot file, or of this package.

    An absolute path is given back as it is: the file may be on another computer. A relative one
    must be found; None says it was not. ``~`` is the home of whoever asks.
    """
    path = expand(text)
    if path.is_absolute():
        return path
    if not text:
        return None
    if is_regular(folder / path):
        return (folder / path).absolute()
    try:
        found = share_file(text)
    except ConfigError:
        return None
    return found if is_regular(found) else None
