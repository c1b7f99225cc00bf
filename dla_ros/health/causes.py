"""Why images of a publisher that fits may still not arrive."""

from collections.abc import Mapping
import os

_PROFILES = ('FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE')
_SHARED_MEMORY = '/dev/shm'
_SEGMENT_MB = 128  # what the profile takes for each process that sends images
_MB = 1 << 20


def silence_causes(rmw: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the likely causes, by what this process can see of its own side."""
    if 'fastrtps' not in rmw:
        return f'it sends none, or they are too large for the settings of {rmw}; docs/transport.md'
    causes = [
        'it sends none',
        'it runs as another user, or in a container with a /dev/shm of its own (docker run '
        '--ipc=host)',
    ]
    if not any(environ.get(name) for name in _PROFILES):
        causes.append('they do not fit the stock settings of Fast DDS (set the profile for both)')
    if (room := _little_room()) is not None:
        causes.append(f'/dev/shm is too small for images ({room})')
    return f'{", or ".join(causes)}; docs/transport.md'


def _little_room() -> str | None:
    """Return what is left of /dev/shm where it does not hold a segment; None where it does."""
    try:
        found = os.statvfs(_SHARED_MEMORY)
    except OSError:
        return 'there is none'
    free_mb, total_mb = (n * found.f_frsize // _MB for n in (found.f_bavail, found.f_blocks))
    return f'{free_mb} of {total_mb} MB free' if free_mb < _SEGMENT_MB else None
