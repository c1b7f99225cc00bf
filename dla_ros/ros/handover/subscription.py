"""A subscription that gets the messages of neighbours as they are."""

from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Lock
import traceback
from typing import Any

from dla_ros.ros.handover.switchboard import SWITCHBOARD
from rclpy.node import Node
from rclpy.qos import QoSHistoryPolicy, QoSProfile


class HandoverSubscription:
    """
    Subscribe to a topic: by hand from HandoverPublishers of this process, else over DDS.

    ``callback`` runs in the executor of ``node`` either way, and must not change the message:
    others hold the same object. While a publisher of this process is connected there is no DDS
    subscription, so publishers outside are not heard on this topic, and ``ros2 topic info`` does
    not count this subscription. As with a queue of the same depth, the newest messages win;
    ``dropped`` counts the others.
    """

    def __init__(
        self, node: Node, kind: type, topic: str, callback: Callable[[Any], None],
        qos: QoSProfile | int, **options: Any,
    ) -> None:  # fmt: skip
        """Take what ``node.create_subscription`` takes; give it back with ``close``."""
        self.node = node
        self._callback = callback
        self._subscribe = partial(
            node.create_subscription, kind, topic, self._call, qos, **options
        )
        self.subscription: Any = self._subscribe()
        self.qos = self.subscription.qos_profile
        self.key = (node.context, self.subscription.topic_name, kind)
        self._lock = Lock()
        self._queue: deque[Any] = deque(maxlen=_length(self.qos))
        self._is_due = False
        self._is_closed = False
        self.dropped = 0
        SWITCHBOARD.add_subscription(self)

    @property
    def topic_name(self) -> str:
        """Give the full name of the topic."""
        return str(self.key[1])

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

    def _call(self, message: Any) -> None:
        if not self._is_closed:
            self._callback(message)


def _length(qos: QoSProfile) -> int | None:
    return None if qos.history == QoSHistoryPolicy.KEEP_ALL else max(1, qos.depth)
