"""The old name of :mod:`dla_ros.record.local_platform`; it goes with the next release."""

import warnings

from dla_ros.record.local_platform import platform_here

__all__ = ['platform_here']

warnings.warn(
    'dla_ros.record.here is now dla_ros.record.local_platform',
    DeprecationWarning,
    stacklevel=2,
)
