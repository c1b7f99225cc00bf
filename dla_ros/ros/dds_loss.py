"""What DDS itself says of the messages that a subscription lost."""

from threading import Lock
from typing import Any

from dla_ros.ros.polled_events import take_event
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.event_handler import EventHandler, QoSSubscriptionEventType, UnsupportedEventTypeError


class DdsLoss:
    """
    Add up the message_lost events of one subscription.

    They are asked for when somebody wants the figure. No executor waits for them, so none dies of
    them (:mod:`dla_ros.ros.polled_events`), and they cost a message that arrives nothing.
    """

    def __init__(self, subscription: Any) -> None:
        """Ask about a subscription of rclpy from now on; ``close`` before it is destroyed."""
        self._lock = Lock()
        self._count = 0
        self._handler: EventHandler | None = None
        try:
            self._handler = EventHandler(
                callback_group=MutuallyExclusiveCallbackGroup(),
                callback=print,  # never called
                event_type=QoSSubscriptionEventType.RCL_SUBSCRIPTION_MESSAGE_LOST,
                parent_impl=subscription.handle,
            )
        except UnsupportedEventTypeError:
            self.is_told = False
        else:
            self.is_told = True

    @property
    def count(self) -> int:
        """Return how many messages DDS says were lost; 0 where the RMW does not tell."""
        with self._lock:
            event = None if self._handler is None else take_event(self._handler)
            self._count += 0 if event is None else event.total_count_change
            return self._count

    def close(self) -> None:
        """Give the event back, which keeps the subscription; the count stays."""
        handler, self._handler = self._handler, None
        if handler is not None:
            handler.destroy()
