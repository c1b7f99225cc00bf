"""What the middleware needs before it starts: Fast DDS its profile, and shared memory swept."""

from collections.abc import Callable
import os
from pathlib import Path

from dla_ros.shared_memory import free_memory, Leftovers, SHARED_MEMORY, Sweep, sweep
from dla_ros.transport import choose, Transport
from rclpy.logging import get_logger

_FAST_DDS = 'rmw_fastrtps'
_MAPS = Path('/proc/self/maps')


def prepare(rmw: str, shared_memory: Path = SHARED_MEMORY) -> Callable[[], None]:
    """
    Prepare Fast DDS, before ``rclpy.init``; return what says so, for after it.

    ``rmw`` is what rclpy calls the middleware. Another than Fast DDS is left alone, and nothing
    said.
    """
    if not rmw.startswith(_FAST_DDS):
        return lambda: None
    swept = sweep(shared_memory)
    transport = choose(_distro(), os.environ, free_memory(shared_memory), Path.cwd())
    transport.apply()

    def tell() -> None:
        _tell_swept(swept)
        _tell_transport(transport)

    return tell


def _distro() -> str:
    """Return whose Fast DDS is loaded: ROS_DISTRO may be missing, or another's."""
    return 'jazzy' if 'libfastrtps.so' in _MAPS.read_text() else 'kilted'


def _tell_transport(transport: Transport) -> None:
    logger = get_logger('dla_ros')
    if transport.is_as_wanted:
        logger.info(f'transport: {transport.words}')
    else:
        logger.warning(f'transport: {transport.words}')


def _tell_swept(swept: Sweep) -> None:
    logger = get_logger('dla_ros')
    nothing = Leftovers()
    if swept.removed != nothing:
        logger.info(f'shared memory: removed {swept.removed} that dead processes had left')
    if swept.refused != nothing:
        logger.warning(
            f'shared memory: {swept.refused} of dead processes could not be removed: '
            f'{swept.reason}'
        )
    if swept.foreign != nothing:
        logger.info(
            f'shared memory: dead processes of other users have left {swept.foreign}; '
            'they, or root, remove it: fastdds shm clean'
        )
