"""The watches of all cameras of a node, and the timer that makes them look."""

from collections.abc import Callable, Iterator

from dla_ros.config import DetectorConfig
from dla_ros.health.limits import Limits
from dla_ros.pipeline.counters import Snapshot
from dla_ros.ros.camera import Camera
from dla_ros.ros.watch import Watch
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

_LOOK_S = 1.0  # what is wrong with a camera is said within two seconds


class Watches:
    """Hold a watch for each camera, by its topic, from configure to cleanup."""

    def __init__(self, node: Node, counts: Callable[[], Snapshot]) -> None:
        """Start the timer; ``counts`` is asked each time."""
        self._node = node
        self._counts = counts
        self._watches: dict[str, Watch] = {}
        # steady: a simulated clock may stand still, or be absent
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(_LOOK_S, self.look, clock=steady)

    def __iter__(self) -> Iterator[Watch]:
        """Yield the watches, also while others open and clear them."""
        return iter(list(self._watches.values()))

    def of(self, topic: str) -> Watch | None:
        """Return the watch of a camera; None after ``clear``."""
        return self._watches.get(topic)

    def open(self, camera: Camera, config: DetectorConfig) -> None:
        """Watch one more camera, from the next ``begin`` on."""
        self._watches[camera.topic] = Watch(self._node, camera, config)

    def begin(self) -> None:
        """Begin to watch, all anew."""
        for watch in self:
            watch.begin()

    def end(self) -> None:
        """Watch no more until the next ``begin``."""
        for watch in self:
            watch.end()

    def clear(self) -> None:
        """Forget all cameras."""
        self._watches = {}

    def hold_against(self, config: DetectorConfig) -> None:
        """Take what is expected of the cameras from changed settings."""
        for watch in self:
            watch.limits = Limits.of(config)

    def look(self) -> None:
        """Let every watch look."""
        counts = self._counts()
        for watch in self:
            watch.look(counts.of(watch.topic))
