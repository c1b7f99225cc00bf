"""Watch one camera: what the graph and the counters say of it, in the log and in diagnostics."""

from collections.abc import Callable
from typing import Protocol

from dla_ros.config import DetectorConfig
from dla_ros.health.causes import silence_causes
from dla_ros.health.finding import Finding, Level
from dla_ros.health.hearing import Hearing
from dla_ros.health.judge import CameraState, findings
from dla_ros.health.limits import Limits
from dla_ros.health.news import News
from dla_ros.health.report import figures
from dla_ros.health.stamps import StampAge
from dla_ros.health.traffic import Traffic
from dla_ros.health.window import Tally
from dla_ros.pipeline.counters import Counts
from dla_ros.pipeline.frame import Timings
from rclpy.node import Node
from rclpy.utilities import get_rmw_implementation_identifier
from std_msgs.msg import Header

_IN_THE_LOG_ANYWAY = 'refused'


class Watched(Protocol):
    """Be a camera: ``lost`` counts images that were sent and did not arrive."""

    topic: str

    @property
    def lost(self) -> int:
        """Return the count so far."""

    def hearing(self) -> Hearing:
        """Return whose images are received, and why those of others are not."""


class Watch:
    """
    Look at a camera once a second, warn of each change, and keep the findings for diagnostics.

    DDS tells nobody of a publisher of another type, and of one that QoS keeps away only by
    events, which an EventsExecutor may die of; the graph shows both.
    """

    def __init__(
        self, node: Node, camera: Watched, config: DetectorConfig, counts: Callable[[], Counts]
    ) -> None:
        """Watch ``camera`` between ``begin`` and ``end``; ``counts`` are those of its frames."""
        self._node = node
        self._camera = camera
        self._counts = counts
        self._age = StampAge()
        self._traffic = Traffic(camera.topic)
        self._news = News()
        self._hearing = Hearing()
        self._was_silent = False
        self.is_active = False
        self.topic = camera.topic
        self.limits = Limits.of(config)

    def begin(self) -> None:
        """Start anew: what was before says nothing of the camera now."""
        self._traffic.begin(self._tally())
        self._news = News()
        self._hearing = Hearing()
        self._was_silent = False
        self.is_active = True

    def end(self) -> None:
        """Look no more: a camera that is not subscribed to is in no trouble."""
        self.is_active = False

    @property
    def has_images(self) -> bool:
        """Tell whether images have come since ``begin``."""
        return self._traffic.has_images

    def see_image(self) -> None:
        """Take note of an image that has arrived."""
        self._traffic.see_image()

    def see_refusal(self, error: Exception) -> None:
        """Take note of an image that could not be read."""
        self._traffic.see_refusal(str(error))

    def see_result(self, timings: Timings, header: Header) -> float | None:
        """Take note of detections; return the milliseconds since the image's stamp, if any."""
        clock = self._node.get_clock()
        # rclpy's Time refuses stamps before 1970, which a message may carry
        stamp_ns = header.stamp.sec * 10**9 + header.stamp.nanosec
        is_simulated = clock.ros_time_is_active
        age = self._age.measure(stamp_ns, clock.now().nanoseconds, is_simulated=is_simulated)
        self._traffic.see_detections(timings.total_ms, age)
        return age.ms

    def look(self) -> None:
        """Look at the counters and the graph; log what is new."""
        if not self.is_active:
            return
        self._traffic.look(self._tally())
        self._hearing = self._camera.hearing()
        for new in self._news.of(self.findings()):
            if new.kind != _IN_THE_LOG_ANYWAY:
                self._say(new)
        self._say_that_images_come_again()

    def findings(self) -> tuple[Finding, ...]:
        """Return what there is to say of the camera now."""
        return tuple(findings(self._state(), self.limits)) if self.is_active else ()

    def figures(self) -> dict[str, object]:
        """Return rates, ages and times by name, as diagnostics show them."""
        found = figures(self._state(), self.limits) if self.is_active else {}
        return {**found, 'latencies left out': self._age.left_out}

    def _tally(self) -> Tally:
        counts = self._counts()
        return Tally(counts.received, self._camera.lost, counts.processed, counts.invalid)

    def _state(self) -> CameraState:
        causes = silence_causes(get_rmw_implementation_identifier())
        return self._traffic.state(self._hearing, causes)

    def _say_that_images_come_again(self) -> None:
        is_silent = self._state().silent_s >= self.limits.silence_s
        if self._was_silent and not is_silent:
            self._node.get_logger().info(f"images of '{self.topic}' come")
        self._was_silent = is_silent

    def _say(self, finding: Finding) -> None:
        log = self._node.get_logger()
        if finding.level is Level.OK:
            log.info(finding.text)
        else:
            log.warning(finding.text)
