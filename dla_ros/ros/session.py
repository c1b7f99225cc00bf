"""Drive, watch and record one detector of another process."""

from collections.abc import Callable
from pathlib import Path
import time
from typing import Any

from dla_ros.bags.write import BagWriter
from dla_ros.owner import Owner
from dla_ros.ros.bag_recorder import definitions_of, Recorder
from dla_ros.ros.executors import open_executor
from dla_ros.ros.lifecycle_client import LifecycleClient
from dla_ros.ros.observer import Observer
from dla_ros.ros.polled_events import PolledEvents
from dla_ros.topics import beside
import rclpy

_RECORDED = {
    'detections': 'vision_msgs/msg/Detection2DArray',
    'label_info': 'vision_msgs/msg/LabelInfo',
}


class DetectorSession(Owner):
    """
    Hold a node that watches the detector ``target`` on ``image_topic`` and records to ``bag``.

    rclpy is initialised by the caller (``ros/process.py``).
    """

    def __init__(self, target: str, image_topic: str, bag: Path) -> None:
        """Subscribe to everything the detector publishes."""
        self._node: Any = PolledEvents('detector_session')
        self._executor = open_executor('auto')
        self._executor.add_node(self._node)
        self._writer = BagWriter.open(bag, definitions_of(list(_RECORDED.values())))
        self.observer = Observer(self._node, target)
        self.detector = LifecycleClient(self._node, self._executor, target)
        namespace = target.rpartition('/')[0]
        recorder = Recorder(self._node, self._writer)
        recorder.record(
            beside(image_topic, 'detections'),
            _RECORDED['detections'],
            self.observer.take_detections,
        )
        recorder.record(f'{namespace}/label_info', _RECORDED['label_info'], is_latched=True)

    def spin_while(self, is_going_on: Callable[[], bool], timeout_s: float) -> bool:
        """Take messages while ``is_going_on``; tell whether it ended before the timeout."""
        deadline = time.monotonic() + timeout_s
        while is_going_on():
            if time.monotonic() > deadline or not rclpy.ok():
                return False
            self._executor.spin_once(timeout_sec=0.05)
        return True

    def close(self) -> None:
        """Finish the bag and destroy the node."""
        self._executor.remove_node(self._node)
        self._node.destroy_node()
        self._writer.close()
