"""
Reading files that somebody named: regular ones only, and no more of them than is sensible.

A pipe or /dev/zero where a file should be would be waited for, or read, for ever. Everything that
is wrong with a path is an OSError, whose ``strerror`` says it in words.
"""

import errno
import os
from pathlib import Path
import stat
from typing import BinaryIO

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
        # files that grow meanwhile, or lie in /proc, have more than they say
        data = file.read(most + 1) if size <= most else b''
    if max(size, len(data)) > most:
        raise OSError(errno.EFBIG, f'it has more than {most} bytes, which is more than is read')
    return data


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
