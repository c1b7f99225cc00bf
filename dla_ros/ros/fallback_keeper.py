"""Keep a node active on another engine while its own does not answer."""

import math
import time
from typing import Any

from dla_ros.errors import DlaRosError
from dla_ros.robots.fallback_engine import FallbackEngine
from dla_ros.ros.bring_up import BringUp
from dla_ros.ros.keeper import Keeper
from dla_ros.ros.parameter_client import ParameterClient
from dla_ros.ros.patience import Patience
from dla_ros.ros.turns import Turns
from dla_ros.ros.watched import Cause, Watched
from rclpy.parameter import Parameter

_NOTICE = 'fallback_notice'
_MOST_PAUSES = 16  # times retry_s: the pause doubles up to there
_BACK_TO_UNCONFIGURED = {'active': ('deactivate', 'cleanup'), 'inactive': ('cleanup',)}


class FallbackKeeper(Keeper):
    """
    Do as a Keeper does; where all attempts are used up, set the parameters of the fallback engine.

    The node says so on /diagnostics (``fallback_notice``). Its own engine is tried again after
    ``retry_s`` seconds, and after twice the pause where it did not last as long as that; detection
    stops for that moment. Where the fallback engine fails too, the node gets its own values back.
    """

    def __init__(
        self, act: BringUp, watched: Watched, patience: Patience, log: Any,
        fallback: FallbackEngine, parameters: ParameterClient,
    ) -> None:  # fmt: skip
        """Work by ``act``; ``parameters`` are those of the node."""
        super().__init__(act, watched, patience, log)
        self._fallback = fallback
        self._parameters = parameters
        self._own: dict[str, Any] | None = None  # its own engine's, while on the other
        self._pause_s = fallback.retry_s
        self._retry_at = 0.0
        self._returned_at = -math.inf

    def _started_anew(self) -> None:
        """Forget that the node was on the fallback engine: a new process has its own values."""
        self._own = None

    def _giving_up(self, reason: str) -> Turns[bool]:
        """Go on with the fallback engine; return whether the node is active on it."""
        if self._own is not None:  # it is the fallback engine that fails
            yield from self._giving_own_values_back()
            return False
        self._log.error(f"{reason}; '{self._target}' falls back on {self._fallback}")
        try:
            self._own = yield from self._parameters.getting(list(self._fallback.parameters))
            yield from self._taking_over(reason)
        except DlaRosError as err:
            self._log.error(f"'{self._target}' cannot fall back: {err}")
            yield from self._giving_own_values_back()
            return False
        self._wait_before_retry()
        return True

    def _idling(self) -> Turns[None]:
        """Try the node's own engine again when it is time."""
        if self._own is None or time.monotonic() < self._retry_at:
            return
        self._log.info(
            f"'{self._target}': its own engine is tried again; detection stops meanwhile"
        )
        try:
            yield from self._running_on({**self._own, _NOTICE: ''})
        except DlaRosError as err:
            yield from self._going_back(str(err))
        else:
            self._own = None
            self._returned_at = time.monotonic()
            self._log.info(f"'{self._target}' is back on its own engine")

    def _going_back(self, reason: str) -> Turns[None]:
        self._returned_at = time.monotonic()
        self._wait_before_retry()
        self._log.warning(
            f"{reason}; '{self._target}' goes on with its fallback engine, the next try is in "
            f'{self._pause_s:g} s'
        )
        try:
            yield from self._taking_over(reason)
        except DlaRosError as err:
            self._log.error(f"'{self._target}' cannot fall back: {err}")
            # it is down, and nobody wished so: the watch takes it from here
            self._watched.cause = Cause.ERROR

    def _wait_before_retry(self) -> None:
        """Take twice the pause where the own engine did not last as long as the last one."""
        now = time.monotonic()
        has_lasted = now - self._returned_at > self._pause_s
        most = _MOST_PAUSES * self._fallback.retry_s
        self._pause_s = self._fallback.retry_s if has_lasted else min(2 * self._pause_s, most)
        self._retry_at = now + self._pause_s

    def _giving_own_values_back(self) -> Turns[None]:
        """Leave the node as it was: whoever brings it up by hand means its own engine."""
        own, self._own = self._own, None
        if own is None:
            return
        try:
            yield from self._setting({**own, _NOTICE: ''})
        except DlaRosError as err:
            self._log.error(f"'{self._target}' keeps the values of its fallback engine: {err}")

    def _taking_over(self, reason: str) -> Turns[None]:
        since = time.strftime('%Y-%m-%d %H:%M:%S')
        notice = f'running on the fallback engine ({self._fallback}) since {since}: {reason}'
        yield from self._running_on({**self._fallback.parameters, _NOTICE: notice})

    def _running_on(self, values: dict[str, Any]) -> Turns[None]:
        """Configure and activate with other values; what the watch sees of that is no news."""
        yield from self._setting(values)
        reason = yield from self._attempting()
        if reason:
            raise DlaRosError(reason)

    def _setting(self, values: dict[str, Any]) -> Turns[None]:
        """Set values of a node, unconfigured for that."""
        client = self._act.client(self._target)
        state = yield from client.asking()
        for transition in _BACK_TO_UNCONFIGURED.get(state, ()):
            yield from client.changing(transition)
        yield from self._parameters.setting(
            [Parameter(name, value=_plain(value)) for name, value in values.items()]
        )


def _plain(value: Any) -> Any:
    """Return a value as rclpy takes it: a list where it is a tuple or an array."""
    is_plain = isinstance(value, (str, bool, int, float))
    return value if is_plain else list(value)
