"""Why images of a publisher that fits may still not arrive."""

from dla_ros.shared_memory import free_memory
from dla_ros.transport import LARGE


def silence_causes(rmw: str) -> str:
    """Return the likely causes with this RMW, by what this process can see of its own side."""
    if 'fastrtps' not in rmw:
        return f'it sends none, or they are too large for the settings of {rmw}; docs/transport.md'
    causes = [
        'it sends none',
        'it runs as another user, or in a container with a /dev/shm of its own (docker run '
        '--ipc=host)',
        'its images are large and its process lacks the Fast DDS profile',
    ]
    free = free_memory()
    if free < LARGE.memory:
        causes.append(f'/dev/shm is full or small ({free / 1e6:.0f} MB free)')
    return f'{", or ".join(causes)}; docs/transport.md'
