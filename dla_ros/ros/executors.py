"""Which executor runs the callbacks, and how it is spun."""

from typing import Any

from dla_ros.errors import ConfigError
from rclpy.executors import SingleThreadedExecutor


def open_executor(name: str) -> Any:
    """
    Open the executor called ``events``, ``single``, or ``auto``: events where rclpy has it.

    MultiThreadedExecutor is not offered: on two cores it lost most 4K images
    (benchmarks/RESULTS.md) and gains nothing, since the pipeline has its own threads.
    """
    if name == 'single':
        return SingleThreadedExecutor()
    try:
        from rclpy.experimental.events_executor import EventsExecutor
    except ImportError as err:
        if name == 'auto':
            return SingleThreadedExecutor()
        raise ConfigError(
            f"executor is 'events', but this rclpy has none ({err}); use auto or single"
        ) from err
    return EventsExecutor()
