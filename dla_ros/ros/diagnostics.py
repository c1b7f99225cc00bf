"""What the detector says about itself on /diagnostics."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from dla_ros.health.finding import Level
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.timer import Timer


@dataclass(frozen=True)
class Status:
    """Say how one part of a node does: level, one sentence, and figures by name."""

    level: Level
    message: str
    hardware_id: str = ''
    values: Mapping[str, object] = field(default_factory=dict)
    name: str = 'detector'


class Diagnostics:
    """
    Publish the statuses of a node regularly, and at once when told to.

    diagnostic_updater is not used: its Python stamps ignore ``use_sim_time``, which makes a
    replayed bag look stale.
    """

    def __init__(
        self, node: Node, period_s: float, statuses: Callable[[], Iterable[Status]]
    ) -> None:
        """Start the timer; ``statuses`` is asked each time."""
        self._node = node
        self._statuses = statuses
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self._timer = steady_timer(node, period_s, self.publish)

    def publish(self) -> None:
        """Publish the statuses now."""
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [self._to_message(status) for status in self._statuses()]
        self._publisher.publish(message)

    def _to_message(self, status: Status) -> DiagnosticStatus:
        values = [KeyValue(key=key, value=str(value)) for key, value in status.values.items()]
        return DiagnosticStatus(
            level=bytes([status.level]),
            name=f'{self._node.get_fully_qualified_name()}: {status.name}',
            message=status.message,
            hardware_id=status.hardware_id,
            values=values,
        )


def steady_timer(node: Node, period_s: float, act: Callable[[], None]) -> Timer:
    """Return a timer that goes on under use_sim_time, before the first /clock and after a stop."""
    return node.create_timer(period_s, act, clock=Clock(clock_type=ClockType.STEADY_TIME))
