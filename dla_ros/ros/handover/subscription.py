"""A subscription that gets the messages of neighbours as they are."""

from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Lock
import traceback
from typing import Any

from dla_ros.ros.handover.switchboard import SWITCHBOARD
from dla_ros.ros.informed import Informed
from dla_ros.ros.loss import Loss
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
    ``dropped`` counts the others, ``missed`` those that were lost over DDS (:class:`Loss`).
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
        # an EventsExecutor may die of events when the subscription goes (ros/polled_events.py)
        no_events = SubscriptionEventCallbacks(use_default_callbacks=False)
        options.setdefault('event_callbacks', no_events)
        self._create = partial(
            node.create_subscription, received_as or kind, topic, qos_profile=qos, **options
        )
        self._lock = Lock()
        self._is_due = False
        self._is_closed = False
        self.dropped = 0
        self._loss = Loss()
        self._missed_before = 0  # over the subscriptions before this one
        # All that a callback needs is there: an executor on another thread may be quick.
        self.subscription: Any = None
        self._subscribe()
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
        with self._lock:
            return self._missed_before + self._loss.count

    @property
    def is_missed_told(self) -> bool:
        """Return whether the RMW lets messages be counted that never came."""
        return self._loss.is_told

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
        if others:
            self._unsubscribe()
        elif self.subscription is None:
            self._subscribe()

    def close(self) -> None:
        """Destroy the subscription; a second call does nothing, no callback begins after."""
        self._is_closed = True
        SWITCHBOARD.remove(self)
        self._unsubscribe()

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

    def _subscribe(self) -> None:
        loss = Loss()  # what is sent while nobody is subscribed is not missed
        self.subscription = self._create(callback=Informed(partial(self._receive, loss)))
        loss.watch(self.subscription)
        self._loss = loss

    def _unsubscribe(self) -> None:
        subscription, self.subscription = self.subscription, None
        if subscription is None:
            return
        with self._lock:
            self._missed_before += self._loss.count
            self._loss.close()
            self._loss = Loss()
        self.node.destroy_subscription(subscription)

    def _receive(self, loss: Loss, message: Any, info: dict[str, Any]) -> None:
        loss.see(info)
        self._call(message)

    def _call(self, message: Any) -> None:
        if not self._is_closed:
            self._callback(message)


def _length(qos: QoSProfile) -> int | None:
    return None if qos.history == QoSHistoryPolicy.KEEP_ALL else max(1, qos.depth)
