"""Messages that were published and never reached the callback of a subscription."""

from collections.abc import Mapping
from typing import Any

from dla_ros.ros.dds_loss import DdsLoss
from dla_ros.ros.gaps import Gaps


class Loss:
    """
    Count what one subscription of rclpy lost since it was created.

    The numbers of the messages tell what was overtaken in the queue, DDS what was lost before the
    first message and after the newest. What both know of is the same, so the larger figure holds.
    """

    def __init__(self) -> None:
        """Start with nothing lost; messages may be seen before ``watch``."""
        self._gaps = Gaps(self._count_publishers)
        self._subscription: Any = None
        self._dds: DdsLoss | None = None

    @property
    def count(self) -> int:
        """Return the count so far: never too many."""
        return max(self._gaps.missed, 0 if self._dds is None else self._dds.count)

    @property
    def is_told(self) -> bool:
        """Return whether this RMW tells of losses at all; if not, the count stays 0."""
        return self._dds is None or self._dds.is_told or bool(self._gaps.is_numbered)

    def watch(self, subscription: Any) -> None:
        """Ask DDS about the subscription, too."""
        self._subscription = subscription
        self._dds = DdsLoss(subscription)

    def see(self, info: Mapping[str, Any]) -> None:
        """Take the message info of the next message, as rclpy gives it."""
        self._gaps.see(info)

    def close(self) -> None:
        """Give back what keeps the subscription, before it is destroyed; the count stays."""
        if self._dds is not None:
            self._dds.close()
        self._subscription = None

    def _count_publishers(self) -> int:
        subscription = self._subscription
        return 0 if subscription is None else int(subscription.get_publisher_count())
