"""The tracker as a node: detections in, the same with the number of their object out."""

import numpy as np
from numpy.typing import NDArray
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from vision_msgs.msg import Detection2DArray

from dla_tracker.tracking import Tracker

_DEPTH = 10


class TrackerNode(Node):
    """
    Publish ``detections`` again as ``tracks``, ``id`` filled with the object's number.

    An ordinary rclpy node: it knows nothing of containers. Numbers start anew, none used twice,
    when time jumps back, as when a bag begins again.
    """

    def __init__(self) -> None:
        """Start to track."""
        super().__init__('tracker')
        least_overlap = self.declare_parameter('least_overlap', 0.3).value
        most_missed = self.declare_parameter('most_missed_frames', 5).value
        self._tracker = Tracker(least_overlap, most_missed)
        self._last_ns = 0
        self._tracks = self.create_publisher(Detection2DArray, 'tracks', _DEPTH)
        self.create_subscription(Detection2DArray, 'detections', self._on_detections, _DEPTH)

    def _on_detections(self, message: Detection2DArray) -> None:
        stamp_ns = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        if stamp_ns < self._last_ns:
            self._tracker.forget()
        self._last_ns = stamp_ns
        class_ids = [each.results[0].hypothesis.class_id for each in message.detections]
        numbers = self._tracker.update(_to_xyxy(message), class_ids)
        for each, number in zip(message.detections, numbers, strict=True):
            each.id = str(number)
        self._tracks.publish(message)


def _to_xyxy(message: Detection2DArray) -> NDArray[np.float64]:
    """Give the boxes (N, 4) in pixels."""
    rows = [
        (box.center.position.x, box.center.position.y, box.size_x, box.size_y)
        for box in (each.bbox for each in message.detections)
    ]
    x, y, width, height = np.array(rows, np.float64).reshape(-1, 4).T
    return np.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], axis=1)


def main() -> None:
    """Run the tracker in a process of its own."""
    rclpy.init()
    node = TrackerNode()
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        node.destroy_node()
        rclpy.try_shutdown()
