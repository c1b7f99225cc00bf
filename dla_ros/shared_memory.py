"""Shared memory of Fast DDS: what dead processes left of it, and how much room there is."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
import fcntl
import os
from pathlib import Path
import re
import stat

SHARED_MEMORY = Path('/dev/shm')  # where shm_open(3) of Linux puts it
_LOCK = re.compile(r'(?P<segment>fast(?:rtps|dds)_[0-9a-f]{16})_el')  # Fast DDS 2 and 3
_BLOCK = 512  # the unit of st_blocks, see stat(2)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Leftovers:
    """Count segments of dead processes; ``size`` is the memory they hold, in bytes."""

    count: int = 0
    size: int = 0

    def __add__(self, size: int) -> 'Leftovers':
        """Return this with one segment more."""
        return Leftovers(self.count + 1, self.size + size)

    def __str__(self) -> str:
        """Return words for the log."""
        segments = 'segment' if self.count == 1 else 'segments'
        return f'{self.count} {segments} ({self.size / 1e6:.0f} MB)'


@dataclass(frozen=True)
class Sweep:
    """Hold what was removed, what is left since it is another user's, and what would not go."""

    removed: Leftovers = Leftovers()
    foreign: Leftovers = Leftovers()
    refused: Leftovers = Leftovers()
    reason: str = ''


def free_memory(folder: Path = SHARED_MEMORY) -> int:
    """Return the bytes that a new segment may take; 0 where there is no such folder."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return found.f_bavail * found.f_frsize


def sweep(folder: Path = SHARED_MEMORY) -> Sweep:
    """
    Remove this user's segments whose process is dead, and return what was found.

    A process of Fast DDS holds a lock (flock) on a file beside its segment as long as it lives,
    in whichever container; the kernel takes the lock away with the process. Only a segment whose
    lock can be had is removed, and while it is held, so that two who sweep at once do not count
    it twice, and a process that just begins takes another name. Ports (0.1 MB) are left to Fast
    DDS, which uses those of the dead again.
    """
    found = Sweep()
    for name in _names(folder):
        match = _LOCK.fullmatch(name)
        if match:
            found = _sweep_one(found, folder / name, folder / match['segment'])
    return found


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _sweep_one(found: Sweep, lock: Path, segment: Path) -> Sweep:
    """Return ``found`` with what became of one segment."""
    removed, foreign, refused, reason = found.removed, found.foreign, found.refused, found.reason
    with _locked(lock) as owner:
        if owner is None:
            return found
        size = _size(segment)
        if owner != os.geteuid():
            foreign += size
        else:
            try:
                segment.unlink(missing_ok=True)
                lock.unlink(missing_ok=True)
                removed += size
            except OSError as err:
                refused, reason = refused + size, str(err)
    return Sweep(removed, foreign, refused, reason)


@contextmanager
def _locked(path: Path) -> Iterator[int | None]:
    """Hold the lock meanwhile and yield whose file it is; None if somebody else holds it."""
    try:
        file = os.open(path, _READ)
    except OSError:
        yield None  # gone meanwhile, or not for us to read
        return
    try:
        yield _lock(file, path)
    finally:
        os.close(file)  # this gives the lock back


def _lock(file: int, path: Path) -> int | None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        here, there = os.fstat(file), path.lstat()
    except OSError:
        return None
    is_ours = os.path.samestat(here, there) and stat.S_ISREG(here.st_mode)
    return here.st_uid if is_ours else None


def _size(segment: Path) -> int:
    try:
        return segment.lstat().st_blocks * _BLOCK
    except OSError:
        return 0
