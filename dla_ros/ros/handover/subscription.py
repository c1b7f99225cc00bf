"""A subscription that gets the messages of neighbours as they are."""

from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Lock
import traceback
from typing import Any

from dla_ros.ros.gaps import Gaps
from dla_ros.ros.handover.switchboard import SWITCHBOARD
from dla_ros.ros.informed import Informed
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import QoSHistoryPolicy, QoSProfile


class HandoverSubscription:
    """
    Subscribe to a topic: by hand from HandoverPublishers of this process, else over DDS.

    ``callback`` runs in the executor of ``node`` either way, and must not change the message:
    others hold the same object. While a publisher of this process is connected there is no DDS
    subscription, so publishers outside are not heard on this topic, and ``ros2 topic info`` does
    not count this subscription. As with a queue of the same depth, the newest messages win;
    ``dropped`` counts the others, ``missed`` those that were lost over DDS (:class:`Gaps`).
    """

    def __init__(
        self, node: Node, kind: type, topic: str, callback: Callable[[Any], None],
        qos: QoSProfile | int, *, received_as: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        """
        Take what ``node.create_subscription`` takes; give it back with ``close``.

        ``received_as``: another class of the same type, whose messages come over DDS instead.
        """
        self.node = node
        self._callback = callback
        self._gaps = Gaps(self._count_publishers)
        events = options.setdefault('event_callbacks', SubscriptionEventCallbacks())
        events.message_lost = events.message_lost or self._gaps.hear
        self._create = partial(
            node.create_subscription, received_as or kind, topic, Informed(self._receive), qos,
            **options,
        )  # fmt: skip
        self._lock = Lock()
        self._is_due = False
        self._is_closed = False
        self.dropped = 0
        # All that a callback needs is there: an executor on another thread may be quick.
        self.subscription: Any = None
        self.subscription = self._subscribe()
        self.qos = self.subscription.qos_profile
        self.key = (node.context, self.subscription.topic_name, kind)
        self._queue: deque[Any] = deque(maxlen=_length(self.qos))
        SWITCHBOARD.add_subscription(self)

    @property
    def topic_name(self) -> str:
        """Give the full name of the topic."""
        return str(self.key[1])

    @property
    def missed(self) -> int:
        """Count messages that were published over DDS and never came."""
        return self._gaps.missed

    @property
    def is_handed(self) -> bool:
        """Tell whether messages come by hand now."""
        return self.subscription is None

    def take(self, message: Any) -> None:
        """Queue a message from a publisher of this process; from any thread."""
        with self._lock:
            self.dropped += len(self._queue) == self._queue.maxlen
            self._queue.append(message)
            executor = self.node.executor
            if self._is_due or executor is None:
                return
            self._is_due = True
        executor.create_task(self._deliver)

    def connect(self, others: tuple[Any, ...]) -> None:
        """Change between hand and DDS; the switchboard calls this."""
        if self._is_closed:
            return
        if others and self.subscription is not None:
            self.node.destroy_subscription(self.subscription)
            self.subscription = None
        elif not others and self.subscription is None:
            self.subscription = self._subscribe()

    def close(self) -> None:
        """Destroy the subscription; a second call does nothing, no callback begins after."""
        self._is_closed = True
        SWITCHBOARD.remove(self)
        if self.subscription is not None:
            self.node.destroy_subscription(self.subscription)
            self.subscription = None

    def _deliver(self) -> None:
        """
        Call back for one message, then let others have their turn before the next.

        What the callback raises is logged here: an EventsExecutor (rclpy 7.1 and 9.1) ends the
        process with a segmentation fault if a task raises.
        """
        with self._lock:
            message = self._queue.popleft()
        try:
            self._call(message)
        except (Exception, SystemExit):
            self.node.get_logger().error(f'a callback failed:\n{traceback.format_exc()}')
        with self._lock:
            self._is_due = bool(self._queue)
        if self._is_due:
            self.node.executor.create_task(self._deliver)

    def _subscribe(self) -> Any:
        self._gaps.forget()
        return self._create()

    def _receive(self, message: Any, info: dict[str, Any]) -> None:
        self._gaps.see(info)
        self._call(message)

    def _count_publishers(self) -> int:
        subscription = self.subscription
        return 0 if subscription is None else int(subscription.get_publisher_count())

    def _call(self, message: Any) -> None:
        if not self._is_closed:
            self._callback(message)


def _length(qos: QoSProfile) -> int | None:
    return None if qos.history == QoSHistoryPolicy.KEEP_ALL else max(1, qos.depth)
