"""
The errors of this package: one family, so that a node or a command catches one name.

A caller's mistake in code is a ``ValueError`` or ``TypeError``. What the world refuses (a file, a
device, a message, a setting) is a child of :class:`DlaRosError`, raised where it is known, saying
what it is, which value it has, what would be right and how to get there.
"""

from copy import copy


class DlaRosError(Exception):
    """Stand for everything this package refuses; its text is meant for a person."""


class ConfigError(DlaRosError):
    """Say that a setting, or two settings together, cannot work."""


class RobotError(DlaRosError):
    """Say that a robot file is missing, unreadable, or asks for what cannot be."""


class ImageError(DlaRosError):
    """Say that an image cannot be read: unknown encoding, wrong size, broken picture."""


class TensorError(DlaRosError):
    """Say that a tensor has a type, layout or size that is not supported."""


class RecordError(DlaRosError):
    """Say that a deployment record is missing, unreadable or does not fit its engine."""


class LoadableError(DlaRosError):
    """Say that a file is not a DLA loadable, or is a broken one."""


class HeadError(DlaRosError):
    """Say that a network's outputs or labels do not fit the head that should read them."""


class BagError(DlaRosError):
    """Say that a bag cannot be read or written."""


class ComponentError(DlaRosError):
    """Say that a node cannot be loaded into a container, or not be taken out of it."""


class DeviceError(DlaRosError):
    """Say that memory, a stream or an event of a compute device failed."""


class EngineError(DlaRosError):
    """Say that an inference engine could not be opened or used."""


class DlaError(EngineError):
    """
    Carry a cuDLA status, with what it means on a robot.

    ``status`` is the number of ``cudlaStatus`` in ``cudla.h``; ``call`` is the function refused.
    """

    def __init__(self, message: str, *, call: str, status: int) -> None:
        """Keep the call and its status beside the sentence."""
        super().__init__(message)
        self.call = call
        self.status = status


class EngineHangError(EngineError):
    """Say that a task did not come back in time, so the engine must be torn down."""


def again(error: Exception) -> Exception:
    """
    Return an equal error to raise once more, its cause the first.

    One object raised for every call would gather the traceback of each, and what those hold.
    """
    try:
        twin = copy(error)
    except Exception:  # of a class that cannot be copied
        twin = EngineError(str(error))
    twin.__cause__ = error
    return twin
