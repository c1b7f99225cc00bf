"""Whom a pipeline tells what it did."""

from collections.abc import Callable
from dataclasses import dataclass

from dla_ros.errors import ImageError
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.result import Result


@dataclass(frozen=True)
class Listeners:
    """
    Hold the functions called from the completion thread, one call at a time.

    ``on_result`` and ``on_invalid`` come in the order in which the frames were taken up;
    ``on_failure`` comes at most once, and nothing after it.
    """

    on_result: Callable[[Result], None]
    on_invalid: Callable[[Frame, ImageError], None]
    on_failure: Callable[[Exception], None]
