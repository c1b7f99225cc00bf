"""The library that knows the formats of bags, imported when a bag is first touched."""

from types import ModuleType

from dla_ros.bags.bounded import bind
from dla_ros.errors import BagError
from dla_ros.installation.libraries import why_missing


def rosbag2() -> ModuleType:
    """Give ``rosbags.rosbag2``; raise BagError where the library is not installed."""
    try:
        import rosbags.rosbag2 as library
        from rosbags.rosbag2 import reader, storage_mcap
    except ImportError as err:
        raise BagError(why_missing('rosbags', err)) from err
    bind(reader, storage_mcap)
    return library


def typesys() -> ModuleType:
    """Give ``rosbags.typesys``; raise BagError where the library is not installed."""
    try:
        import rosbags.typesys as library
    except ImportError as err:
        raise BagError(why_missing('rosbags', err)) from err
    return library
