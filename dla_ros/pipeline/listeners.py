"""Whom a pipeline tells what it did."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from dla_ros.errors import ImageError
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.result import Result

OnResult = Callable[[Result], None]
OnInvalid = Callable[[Frame, ImageError], None]
OnFailure = Callable[[Exception], None]


@dataclass(frozen=True)
class Listeners:
    """
    Hold the functions called from the completion thread, one call at a time.

    ``on_result`` and ``on_invalid`` come in the order in which the frames were taken up;
    ``on_failure`` comes at most once, and nothing after it.
    """

    on_result: OnResult
    on_invalid: OnInvalid
    on_failure: OnFailure

    @classmethod
    def of(
        cls, on_result: OnResult | None, on_invalid: OnInvalid | None, on_failure: OnFailure | None
    ) -> Optional['Listeners']:
        """Return the three together, None where there is none; raise TypeError for a part."""
        if on_result is not None and on_invalid is not None and on_failure is not None:
            return cls(on_result, on_invalid, on_failure)
        if on_result is None and on_invalid is None and on_failure is None:
            return None
        raise TypeError('give on_result, on_invalid and on_failure together, or none of them')
