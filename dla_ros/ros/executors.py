"""Which executor runs the callbacks, and how it is spun."""

from typing import Any

from dla_ros.errors import ConfigError
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor

NAMES = ('auto', 'events', 'single', 'multi')
_PLAIN = {'single': SingleThreadedExecutor, 'multi': MultiThreadedExecutor}


def open_executor(name: str) -> Any:
    """
    Open the executor called ``events``, ``single``, ``multi``, or ``auto``: events, else single.

    ``multi`` is for a container's nodes that wait for a service within a callback; the detector
    does not offer it: on two cores it lost most images (benchmarks/receive_cost.py) and gains
    nothing, since the pipeline has its own threads. Raise ConfigError if there is none.
    """
    if name in _PLAIN:
        return _PLAIN[name]()
    if name not in NAMES:
        raise ConfigError(f"there is no executor '{name}'; use auto, events, single or multi")
    try:
        from rclpy.experimental.events_executor import EventsExecutor
    except ImportError as err:
        if name == 'auto':
            return SingleThreadedExecutor()
        raise ConfigError(
            f"executor is 'events', but this rclpy has none ({err}); use auto or single"
        ) from err
    return EventsExecutor()
