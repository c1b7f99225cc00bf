"""A folder in which something is made before it is moved to its place, whole."""

from collections.abc import Iterator
from contextlib import contextmanager
import fcntl
import os
from pathlib import Path
import shutil
import tempfile

_PREFIX = 'making-'


@contextmanager
def scratch(place: Path) -> Iterator[Path]:
    """
    Make a folder inside ``place``, which is made too, and remove it afterwards.

    A process that is killed leaves its folder behind; the next one to come removes it. Who still
    works in a folder holds a lock (flock) on it, which goes with the process.
    """
    place.mkdir(parents=True, exist_ok=True)
    for left in sorted(place.glob(f'{_PREFIX}*')):
        _remove_if_dead(left)
    folder, file = _make(place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(file)


def _make(place: Path) -> tuple[Path, int]:
    """Return a new folder and an open file of it, which holds its lock."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        file = _locked(folder)
        if file is not None:
            return folder, file
        # another process has looked at it before it was locked, and removes it


def _remove_if_dead(folder: Path) -> None:
    file = _locked(folder)
    if file is not None:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(file)


def _locked(folder: Path) -> int | None:
    """Return an open file of a folder with its lock; None if it is another's, or gone."""
    try:
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(file), folder.lstat()):
            return file
    except OSError:
        pass
    os.close(file)
    return None
