"""QoS events of a node, looked at once in a while instead of waited for by its executor."""

from collections.abc import Iterator
import inspect
import traceback
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.event_handler import EventHandler
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node

_PERIOD_S = 1.0


class PolledEvents(Node):
    """
    Keep the events of publishers and subscriptions from the executor, and ask for them here.

    rclpy's EventsExecutor ends the process with a segmentation fault when a waitable is removed
    while an event of it waits in its queue (ros2/rclpy#1644: the wait set bound to the event is
    let go without the GIL). Every publisher and subscription has such waitables unless told
    otherwise, and a flood of events is what a lossy camera, or one that restarts before a
    reliable subscription, sends. An executor that never hears of them cannot die of them. The
    callbacks are called as ever, by a timer of the node, at most once in a second each; what
    happened meanwhile is in the event's counts.
    """

    def __init__(self, node_name: str, **options: Any) -> None:
        """Create the node and the timer."""
        super().__init__(node_name, **options)
        # steady: under use_sim_time there may be no time, and no warning, before the first /clock
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._events_timer = self.create_timer(_PERIOD_S, self._poll_events, clock=steady)

    @property
    def waitables(self) -> Iterator[Any]:
        """Give what an executor has to wait for: all but the events."""
        return (each for each in super().waitables if not isinstance(each, EventHandler))

    def _poll_events(self) -> None:
        for handler in [each for each in super().waitables if isinstance(each, EventHandler)]:
            event = take_event(handler)
            if event is not None:
                self._tell(handler, event)

    def _tell(self, handler: EventHandler, event: Any) -> None:
        """Call back; what a callback raises is logged, and the others are told all the same."""
        try:
            answer = handler.callback(event)
            if inspect.iscoroutine(answer):
                self.executor.create_task(answer)
        except (Exception, SystemExit):
            self.get_logger().error(f'an event callback failed:\n{traceback.format_exc()}')


def take_event(handler: EventHandler) -> Any | None:
    """Return what happened since the last call; None if nothing did, or all is destroyed."""
    handler._ready_to_take_data = True  # as if a wait set had said so; DDS is asked either way
    try:
        event = handler.take_data()
    except rclpy_implementation.InvalidHandle:
        return None
    return event if event is not None and _is_news(event) else None


def _is_news(event: Any) -> bool:
    """Tell whether any of an event's counts has changed; DDS answers even if none has."""
    return any(getattr(event, name) for name in dir(event) if name.endswith('count_change'))
