"""Watch a detector from outside: its detections, its latencies, what it says of itself."""

from functools import partial
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from dla_ros.detections import Detections
from dla_ros.ros.latencies import Latencies
from dla_ros.ros.messages import to_detections
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from std_msgs.msg import Float64
from vision_msgs.msg import Detection2DArray

_DEPTH = 100


class Observer:
    """
    Collect what a detector publishes.

    ``detections`` is by image stamp in nanoseconds, ``latencies`` by name without ``_ms``,
    ``values`` the figures of the newest diagnostics, ``is_active`` as that says.
    """

    def __init__(self, node: Node, target: str) -> None:
        """Subscribe to the debug topics and diagnostics of the node called ``target``."""
        self.detections: dict[int, Detections] = {}
        self.latencies: dict[str, list[float]] = {name: [] for name in Latencies.names}
        self.values: dict[str, str] = {}
        self.message = ''
        self._target = target
        qos = QoSProfile(depth=_DEPTH)
        for name in Latencies.names:
            topic = f'{target}/debug/{name}_ms'
            node.create_subscription(Float64, topic, partial(self._on_latency, name), qos)
        node.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, qos)

    def take_detections(self, _topic: str, data: bytes) -> None:
        """Take a serialized Detection2DArray, as a Recorder hands it on."""
        stamp_ns, found = to_detections(deserialize_message(data, Detection2DArray))
        self.detections[stamp_ns] = found

    def count(self, name: str) -> int:
        """Give a counter of the newest diagnostics; 0 before the first."""
        return int(self.values.get(name, 0))

    def _on_latency(self, name: str, message: Float64) -> None:
        self.latencies[name].append(message.data)

    def _on_diagnostics(self, message: Any) -> None:
        for status in message.status:
            if status.name == f'{self._target}: detector':
                self.values = {item.key: item.value for item in status.values}
                self.message = status.message
