"""
Files that cost time to make and are kept for the next time: believed only where they are ours.

What lies in a cache is loaded into the process, so nobody else may write there, and what was cut
off by a full disk or a lost power supply is made again.
"""

import errno
import hashlib
import os
from pathlib import Path
import stat

from dla_ros.files.regular_file import read_regular, write_regular

MOST_BYTES = 1 << 28
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def own_folder(path: Path) -> Path:
    """
    Return a folder that only this user can write to; make it, and those above it, where needed.

    Raise OSError where that is not possible, or it belongs to somebody else.
    """
    for missing in reversed([each for each in (path, *path.parents) if not os.path.exists(each)]):
        missing.mkdir(mode=0o700, exist_ok=True)
    found = path.stat()
    if found.st_uid != os.geteuid():
        raise OSError(errno.EPERM, f"'{path}' belongs to another user (number {found.st_uid})")
    if found.st_mode & _OTHERS_WRITE:
        path.chmod(0o700)
    return path


def read_kept(path: Path) -> bytes | None:
    """Return what :func:`keep` wrote there; None where it is not there, not whole or not ours."""
    try:
        if not all(_is_ours(each) for each in (path, _sum_of(path))):
            return None
        data, digest = read_regular(path, MOST_BYTES), read_regular(_sum_of(path), 100)
    except OSError:
        return None
    return data if digest == _digest(data) else None


def keep(path: Path, data: bytes) -> None:
    """Write a file and its checksum, in a folder of our own; raise OSError where that fails."""
    own_folder(path.parent)
    for place, content in ((path, data), (_sum_of(path), _digest(data))):
        write_regular(place, content)
        place.chmod(0o600)


def _is_ours(path: Path) -> bool:
    for place in (path, path.parent):
        found = place.lstat()
        if found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE:
            return False
    return True


def _sum_of(path: Path) -> Path:
    return path.with_name(f'{path.name}.sha256')


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
