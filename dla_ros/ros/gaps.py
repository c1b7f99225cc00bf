"""Messages that were sent to a subscription and never came."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

_MOST_PUBLISHERS = 64  # remembered at a time; a camera that restarts comes with a new id


class Gaps:
    """
    Count what lies between the publication sequence numbers of the messages that come.

    That is what was lost before the newest message: on the way, and in the reader's own queue,
    where a newer message takes the place of one that nobody has taken yet.
    """

    def __init__(self, count_publishers: Callable[[], int]) -> None:
        """Start with no message; ``count_publishers`` tells how many are connected."""
        self._count_publishers = count_publishers
        self._last: OrderedDict[bytes, int] = OrderedDict()
        self.missed = 0
        self.is_numbered: bool | None = None  # as the newest message says; None: none came yet

    def see(self, info: Mapping[str, Any]) -> None:
        """Take the message info of the next message, as rclpy gives it."""
        number = info['publication_sequence_number']
        self.is_numbered = number is not None
        if number is None:
            return
        gid = info.get('publisher_gid')  # since Kilted
        gap = number - self._exchange(gid['data'] if gid else b'', number) - 1
        # Without ids the numbers of two publishers tell nothing.
        if gap > 0 and (gid or self._count_publishers() == 1):
            self.missed += gap

    def _exchange(self, publisher: bytes, number: int) -> int:
        """Remember a publisher's last number and give the one before it."""
        last = self._last.pop(publisher, number)
        self._last[publisher] = number
        if len(self._last) > _MOST_PUBLISHERS:
            self._last.popitem(last=False)
        return last
