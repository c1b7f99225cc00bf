"""Bring a node up again that failed or was started anew; leave alone what people took down."""

from collections.abc import Callable
import time
from typing import Any

from dla_ros.errors import DlaRosError
from dla_ros.ros.bring_up import BringUp
from dla_ros.ros.patience import Patience
from dla_ros.ros.turns import Turns, until
from dla_ros.ros.watched import Cause, Watched

_EVENT_S = 1.0  # an answer may be here before the event that goes with it
_REASON_S = 3.0  # and the event before the log that says why
_POLL_S = 2.0
_FORGOTTEN_S = 25.0  # DDS remembers a process that crashed for 20 s
_SERVICES_S = 30.0  # from the first sight of a new process to its services


class Keeper:
    """
    Keep one node active.

    Brought up again are a node that went through error processing and one that was started anew.
    Left alone, until somebody activates it, are a node that was deactivated or cleaned up, and
    one that has used up its attempts; the latter gets new ones when it is started anew.
    """

    def __init__(self, act: BringUp, watched: Watched, patience: Patience, log: Any) -> None:
        """Work by ``act``; ``log`` is a logger of rclpy."""
        self._act = act
        self._watched = watched
        self._patience = patience
        self._log = log
        self._target = watched.target
        self._last_poll = 0.0
        self._misses = 0

    @property
    def target(self) -> str:
        """Return the name of the node with its namespace."""
        return self._target

    @property
    def most(self) -> int:
        """Return how many attempts there are within a minute."""
        return self._patience.most

    def keeping(self, *, is_active: bool) -> Turns[None]:
        """Watch and bring up again, for ever; ``is_active`` where we have activated the node."""
        if is_active:
            self._watched.adopt(self._act.gids[self._target])
        else:
            yield from self._waiting_for_active()
        while True:
            reason = yield from self._trouble()
            reason = yield from self._mending(reason)
            if reason and not (yield from self._giving_up(reason)):
                yield from self._staying_down(reason)

    def _giving_up(self, reason: str) -> Turns[bool]:
        """Return whether there is another way than to stay down; here there is none."""
        del reason
        return False
        yield

    def _started_anew(self) -> None:
        """Take note of a new process; here nothing depends on it."""

    def _idling(self) -> Turns[None]:
        """Do what has to be done while all is well; here nothing."""
        return
        yield

    # ── what is seen ─────────────────────────────────────────────────────────────────────────

    def _trouble(self) -> Turns[str]:
        """Wait until the node needs help; return why."""
        watched = self._watched
        while True:
            if watched.is_shared:
                yield from self._sharing()
            if watched.cause is Cause.PURPOSE:
                yield from self._standing_back()
            if watched.is_new:
                watched.adopt()
                watched.forget()
                self._started_anew()
                return f"'{self._target}' was started anew"
            if watched.cause is Cause.ERROR:
                return (yield from self._asking_why())
            if not self._is_there:
                yield from self._missing()
            else:
                yield from self._polling()
                yield from self._idling()
            yield

    def _asking_why(self) -> Turns[str]:
        complaints = self._act.complaints
        yield from until(lambda: complaints.has(self._target), _REASON_S)
        return f"'{self._target}': {complaints.gravest(self._target) or 'it failed'}"

    def _sharing(self) -> Turns[None]:
        """Wait until the name is that of one node again; what was heard meanwhile is of both."""
        watched = self._watched
        if not (yield from until(lambda: not watched.is_shared, _FORGOTTEN_S)):
            self._log.error(
                f"'{self._target}' is the name of several nodes now, and every request reaches "
                'all; it is left alone until the others are gone'
            )
            yield from until(lambda: not watched.is_shared, float('inf'))
        state = yield from self._act.client(self._target).glancing()
        watched.correct(state, has_complained=self._act.complaints.has(self._target))

    def _standing_back(self) -> Turns[None]:
        self._log.info(f"'{self._target}' was deactivated on purpose; it is left alone")
        yield from self._waiting_for_active()

    def _missing(self) -> Turns[None]:
        """Wait for a node that was shut down, or whose process has ended, to come back."""
        if not (yield from until(lambda: self._is_there, _POLL_S)):
            self._log.warning(f"'{self._target}' is gone; it is brought up when it comes back")
            yield from until(lambda: self._is_there, float('inf'))

    def _waiting_for_active(self, or_until: Callable[[], bool] = lambda: False) -> Turns[None]:
        """Wait until somebody else has activated the node, or for what else is worth it."""
        while not self._is_up:
            if or_until():
                return
            yield from self._polling()
            yield
        self._watched.adopt()
        self._log.info(f"'{self._target}' is active, and watched")

    @property
    def _is_there(self) -> bool:
        watched = self._watched
        return watched.is_new or not (watched.is_gone or watched.cause is Cause.SHUTDOWN)

    @property
    def _is_up(self) -> bool:
        return self._watched.state == 'active' and self._watched.cause is None

    def _polling(self) -> Turns[None]:
        """Ask for the state now and then: an event may be lost before it is subscribed to."""
        if time.monotonic() < self._last_poll + _POLL_S:
            return
        state = yield from self._act.client(self._target).glancing()
        self._last_poll = time.monotonic()
        self._misses = self._misses + 1 if self._watched.differs(state) else 0
        if self._misses > 1:
            self._watched.correct(state, has_complained=self._act.complaints.has(self._target))

    # ── what is done ─────────────────────────────────────────────────────────────────────────

    def _mending(self, reason: str) -> Turns[str]:
        """Bring the node up again; return '' or, when all attempts are used up, why it failed."""
        while not self._patience.is_over:
            self._say_next(reason)
            yield from until(lambda: self._is_up, self._patience.pause_s)
            if self._is_up or self._watched.cause in {Cause.PURPOSE, Cause.SHUTDOWN}:
                return ''  # others were quicker, or the process is on its way out
            self._patience.spend()
            reason = yield from self._attempting()
            if not reason:
                self._log.info(f"'{self._target}' is active again")
                return ''
        return reason

    def _say_next(self, reason: str) -> None:
        number, most = self._patience.spent + 1, self._patience.most
        self._log.warning(
            f'{reason}; it is brought up again in {self._patience.pause_s:g} s '
            f'(attempt {number} of {most} within a minute)'
        )

    def _attempting(self) -> Turns[str]:
        """Configure and activate; return '' or why that failed."""
        watched = self._watched
        yield from until(lambda: not watched.is_shared, _FORGOTTEN_S)
        watched.cause = None
        try:
            yield from self._act.activating(self._target, _SERVICES_S)
        except DlaRosError as err:
            return str(err)
        yield from until(lambda: watched.state == 'active', _EVENT_S)
        watched.adopt(self._act.gids[self._target])
        return ''

    def _staying_down(self, reason: str) -> Turns[None]:
        """Wait for a person, or for a new process that is worth new attempts."""
        self._log.fatal(
            f"'{self._target}' stays down: {self._patience.most} attempts within a minute did "
            f'not help (recover). {reason}; when the cause is mended: '
            f'ros2 run dla_ros bring_up {self._target}'
        )
        yield from self._waiting_for_active(
            or_until=lambda: self._watched.is_new and not self._patience.is_over
        )
