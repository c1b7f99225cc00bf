"""What the detector says about itself on /diagnostics."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR


@dataclass(frozen=True)
class Status:
    """Say how the detector does: level, one sentence, and figures by name."""

    level: bytes
    message: str
    hardware_id: str = ''
    values: Mapping[str, object] = field(default_factory=dict)


class Diagnostics:
    """
    Publish the status regularly, and at once when told to.

    diagnostic_updater is not used: its Python stamps ignore ``use_sim_time``, which makes a
    replayed bag look stale.
    """

    def __init__(self, node: Node, period_s: float, status: Callable[[], Status]) -> None:
        """Start the timer; ``status`` is asked each time."""
        self._node = node
        self._status = status
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)
        # steady: under use_sim_time nothing would be said before the first /clock
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(period_s, self.publish, clock=steady)

    def publish(self) -> None:
        """Publish the status now."""
        status = self._status()
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [self._to_message(status)]
        self._publisher.publish(message)

    def _to_message(self, status: Status) -> DiagnosticStatus:
        values = [KeyValue(key=key, value=str(value)) for key, value in status.values.items()]
        return DiagnosticStatus(
            level=status.level,
            name=f'{self._node.get_fully_qualified_name()}: detector',
            message=status.message,
            hardware_id=status.hardware_id,
            values=values,
        )
