"""What can be seen of a lifecycle node from outside: its state, and how it came by it."""

from enum import Enum
import time
from typing import Any

from dla_ros.ros.census import Census
from lifecycle_msgs.msg import TransitionEvent
from rclpy.node import Node

_PRIMARY = {'unconfigured', 'inactive', 'active', 'finalized'}
_ON_PURPOSE = {('deactivating', 'inactive'), ('cleaningup', 'unconfigured')}
_LOOK_S = 0.5
_DEPTH = 100


class Cause(Enum):
    """Say why a node is not active any more."""

    ERROR = 'it failed'
    PURPOSE = 'somebody deactivated it'
    SHUTDOWN = 'somebody shut it down'


class Watched:
    """
    Follow one node.

    ``state`` is the last primary state heard of, ``cause`` why the node left 'active', None while
    it has not. Errors and wishes of people are told apart by the transitions: an error goes
    through error processing.
    """

    def __init__(self, node: Node, census: Census, target: str) -> None:
        """Listen from now on; ``target`` is the node's name with its namespace."""
        self.target = target
        self.state = ''
        self.cause: Cause | None = None
        self._census = census
        self._gids: list[bytes] = []
        self._looked = 0.0
        self._own = b''
        topic = f'{target}/transition_event'
        node.create_subscription(TransitionEvent, topic, self._on_transition, _DEPTH)

    @property
    def is_gone(self) -> bool:
        """Tell whether no node of the name is left."""
        return not self._look()

    @property
    def is_new(self) -> bool:
        """Tell whether the node is another one than the adopted: of a process started anew."""
        found = self._look()
        if not self._own:
            self.adopt()  # it was not discovered yet when it was active already
        return len(found) == 1 and found != [self._own]

    @property
    def is_shared(self) -> bool:
        """Tell whether more than one node has the name."""
        return len(self._look()) > 1

    def forget(self) -> None:
        """Forget what was heard: it was of another node."""
        self.state, self.cause = '', None

    def adopt(self, gid: bytes = b'') -> None:
        """Follow the node with this gid from now on, or the one that is there."""
        self._looked = 0.0
        self._own = gid or next(iter(self._look()), b'')

    def differs(self, state: str) -> bool:
        """Tell whether an answer to get_state says another thing than the events did."""
        return state in _PRIMARY and state != self.state

    def correct(self, state: str, *, has_complained: bool) -> None:
        """Take a state that no event has told of; who has complained of nothing did not fail."""
        if state not in _PRIMARY:
            return
        self.state = state
        if state == 'active':
            self.cause = None
        elif self.cause is None:
            self.cause = Cause.ERROR if has_complained else Cause.PURPOSE

    def _look(self) -> list[bytes]:
        now = time.monotonic()
        if now > self._looked + _LOOK_S:
            self._gids = [holder.gid for holder in self._census.holders(self.target)]
            self._looked = now
        return self._gids

    def _on_transition(self, event: Any) -> None:
        start, goal = event.start_state.label, event.goal_state.label
        if goal in _PRIMARY:
            self.state = goal
        if goal == 'active':
            self.cause = None
        elif goal == 'errorprocessing':
            self.cause = Cause.ERROR
        elif goal == 'finalized':
            self.cause = Cause.SHUTDOWN
        elif (start, goal) in _ON_PURPOSE and self.cause is None:
            self.cause = Cause.PURPOSE
