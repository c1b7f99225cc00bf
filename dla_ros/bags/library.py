"""The library that knows the formats of bags, imported when a bag is first touched."""

from importlib import import_module
from types import ModuleType

from dla_ros.errors import BagError


def rosbag2() -> ModuleType:
    """Give ``rosbags.rosbag2``; raise BagError where the library is not installed."""
    return _import('rosbags.rosbag2')


def typesys() -> ModuleType:
    """Give ``rosbags.typesys``; raise BagError where the library is not installed."""
    return _import('rosbags.typesys')


def _import(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as err:
        raise BagError(f'bags need the library rosbags ({err}): pip install rosbags') from err
