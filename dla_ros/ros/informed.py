"""A subscription's callback that gets the message info, under every executor."""

from collections.abc import Callable
import inspect
from typing import Any


def _two_arguments(message: Any, info: Any) -> None:
    """Look like what rclpy calls with the message info."""


class Informed:
    """
    Call ``callback(message, info)``.

    rclpy asks a callback's signature whether it wants the info. EventsExecutor (rclpy 7.1 and
    9.1) then gives one argument, the pair of both; the other executors give two.
    """

    __signature__ = inspect.signature(_two_arguments)

    def __init__(self, callback: Callable[[Any, dict[str, Any]], None]) -> None:
        """Take the callback."""
        self._callback = callback

    def __call__(self, *arguments: Any) -> None:
        """Pass on what came, in whichever form."""
        message, info = arguments[0] if len(arguments) == 1 else arguments
        self._callback(message, info)
