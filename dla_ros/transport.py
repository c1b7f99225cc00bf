"""The Fast DDS profile of this package, and the environment that makes processes use it."""

from pathlib import Path

from dla_ros.share import share_file

# Fast DDS 2 (Jazzy) reads the first name; Fast DDS 3 (Kilted) the second, and warns of the first
_VARIABLES = {'jazzy': 'FASTRTPS_DEFAULT_PROFILES_FILE'}
_VARIABLE = 'FASTDDS_DEFAULT_PROFILES_FILE'


def profile() -> Path:
    """Give ``config/fastdds.xml``, whose shared-memory segment holds camera images."""
    return share_file('config/fastdds.xml')


def transport_environment(distro: str) -> dict[str, str]:
    """
    Give the environment for processes of a ROS distribution ('jazzy', 'kilted').

    It must be set before a process creates its first node; other RMWs ignore it.
    """
    return {_VARIABLES.get(distro, _VARIABLE): str(profile())}
