"""
Reading and writing files that somebody named: regular ones only, and of a sensible size.

A pipe or /dev/zero where a file should be would be waited for, or read, for ever. Everything that
is wrong with a path is an OSError, whose ``strerror`` says it in words.
"""

import errno
from itertools import count
import os
from pathlib import Path
import stat
from typing import BinaryIO

_CHUNK = 1 << 16
_KEPT = 100  # characters of a name, in that of the file beside
_numbers = count()
_KINDS = (
    (stat.S_ISFIFO, 'a pipe'),
    (stat.S_ISCHR, 'a device'),
    (stat.S_ISBLK, 'a device'),
    (stat.S_ISSOCK, 'a socket'),
)


def read_regular(path: str | Path, most: int) -> bytes:
    """Read all of a regular file; raise OSError where it is none, or has over ``most`` bytes."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(size) if size <= most else b''
        # one that grows meanwhile, or lies in /proc, has more than it says
        while size <= most and (more := file.read(_CHUNK)):
            data += more
            size = len(data)
    if size > most:
        raise OSError(errno.EFBIG, f'it has more than {most} bytes, which is more than is read')
    return data


def write_regular(path: str | Path, data: bytes) -> None:
    """
    Write a file beside its place and move it there, whole and on the disk, or not at all.

    Raise OSError where it cannot be written, or something that is no regular file is there.
    """
    try:
        target = os.path.realpath(path)
        if os.path.exists(target) and not os.path.isfile(target):
            raise OSError(errno.EEXIST, 'there is something that is no regular file')
        folder, name = os.path.split(target)
        beside = os.path.join(folder, f'.{name[:_KEPT]}.{os.getpid()}.{next(_numbers)}')
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except ValueError as error:
        raise OSError(errno.EINVAL, f'no file can have such a name ({error})') from error
    try:
        with os.fdopen(number, 'wb') as file:
            file.write(data)
            file.flush()
            os.fsync(number)
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


def is_regular(path: str | Path) -> bool:
    """Tell whether there is a regular file; a path that no file can have has none."""
    return os.path.isfile(path)


def open_regular(path: str | Path) -> BinaryIO:
    """Open a regular file for reading; raise OSError where it is missing or something else."""
    try:
        # of a pipe the opening itself would wait for a writer
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except ValueError as error:
        raise OSError(errno.EINVAL, f'no file can have such a name ({error})') from error
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(number, 'rb')
    os.close(number)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), 'no file')
    raise OSError(errno.EINVAL, f'it is {kind}, not a regular file')
