"""The detector as a lifecycle node: images in, detections out."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from dla_ros.config import DetectorConfig, settings
from dla_ros.detector import Detector
from dla_ros.errors import ConfigError, DlaRosError, ImageError
from dla_ros.health.limits import Limits
from dla_ros.held import Held
from dla_ros.images.drawing import draw
from dla_ros.images.image import check_pixels, ImageView, MAX_PIXELS
from dla_ros.pipeline.counters import Counts, Snapshot
from dla_ros.pipeline.frame import Frame, Result
from dla_ros.preprocess.bgr import to_bgr
from dla_ros.ros import messages, parameters
from dla_ros.ros.camera import Camera, check_overrides
from dla_ros.ros.checked_parameters import CheckedParameters
from dla_ros.ros.cv_bridge_door import CvBridgeDoor
from dla_ros.ros.diagnostics import Diagnostics, steady_timer
from dla_ros.ros.ending import Ending, restarted_after
from dla_ros.ros.latencies import Latencies
from dla_ros.ros.lifecycle import ResponsiveLifecycleNode
from dla_ros.ros.qos import LATCHED
from dla_ros.ros.status import Condition, LOOK_S
from dla_ros.ros.topic_names import check_topic_names
from rclpy.parameter import Parameter
from vision_msgs.msg import LabelInfo


class DetectorNode(CheckedParameters, ResponsiveLifecycleNode):
    """
    Detect objects in images on a DLA.

    configure takes the device and loads the network; activate subscribes; deactivate lets frames
    in flight end; cleanup gives everything back. See docs/node.md for topics and parameters.
    """

    rows = settings()
    _detector: Detector | None = None

    def __init__(self, name: str = 'dla_detector', **options: Any) -> None:
        """Declare parameters; nothing of the device is touched."""
        super().__init__(name, **options)
        self._held = Held()
        self._cameras: dict[str, Camera] = {}
        self._latencies: Latencies | None = None
        self._failure = restarted_after()
        self._details: Mapping[str, str] = {}
        self._is_lost = False
        self._max_pixels = MAX_PIXELS
        self._bridge = CvBridgeDoor.open()
        self.add_post_set_parameters_callback(self._on_parameters_set)
        period = self.get_parameter('diagnostics_period').value
        self._diagnostics = Diagnostics(self, period, lambda: self._condition().statuses())
        steady_timer(self, LOOK_S, lambda: self._condition().look())

    @property
    def is_configured(self) -> bool:
        """Return whether a network is loaded, or on its way, with the parameters as they are."""
        is_on_its_way = self._state_machine.current_state[1] == 'configuring'
        return self._detector is not None or is_on_its_way

    @property
    def counts(self) -> Snapshot:
        """Give what became of every frame since configure."""
        return self._detector.counts if self._detector is not None else Snapshot({}, Counts())

    @property
    def ending(self) -> Ending | None:
        """Give how the process has to end, where only a new one can help; None: it goes on."""
        if not self._is_lost or self._state_machine.current_state[1] != 'unconfigured':
            return None
        act = self.get_parameter('when_lost').value
        reason = self._failure or 'the GPU or DLA is lost'
        return None if act == 'stay' else Ending(reason, restarts=act == 'restart')

    # ── lifecycle ────────────────────────────────────────────────────────────────────────────

    def configure(self) -> None:
        """Open the detector and the publishers."""
        self._failure, self._details = '', {}
        if self.faults:
            raise ConfigError('; '.join(self.faults.values()))
        config = parameters.read(self)
        check_topic_names(self, config.image_topics)
        check_overrides(self, config)
        self._is_lost = False
        self._detector = self._held.enter_context(
            Detector.open(
                config,
                on_result=self._on_result,
                on_invalid=self._on_invalid,
                on_failure=self._on_failure,
            )
        )
        self._max_pixels = config.max_image_pixels
        self._open_publishers(config, self._detector)
        for warning in self._detector.warnings:
            self.get_logger().warning(warning)
        self.get_logger().info(f'configured: {self._detector.summary}')

    def activate(self) -> None:
        """Subscribe to the cameras."""
        self._publish_label_info()
        try:
            for camera in self._cameras.values():
                camera.subscribe(self._on_image)
        except Exception:
            self._unsubscribe()  # those before the one that cannot be subscribed to
            raise

    def deactivate(self) -> None:
        """Unsubscribe and let the frames in flight be published."""
        self._unsubscribe()
        if self._failure and self._detector is not None:
            # the one way from active to unconfigured: through on_error
            raise DlaRosError(self._failure)
        if self._detector is not None:
            self._detector.drain()

    def release(self) -> None:
        """Close publishers and detector, the device last."""
        detector, self._detector = self._detector, None
        self._cameras = {}
        self._latencies = None
        held, self._held = self._held, Held()
        try:
            held.close()
        finally:
            if detector is not None:
                self._is_lost = detector.is_lost
        if detector is not None:
            self._say_released(detector)

    def _open_publishers(self, config: DetectorConfig, detector: Detector) -> None:
        for topic in config.image_topics:
            camera = Camera(self, topic, config, lambda t=topic: self.counts.of(t))
            self._held.callback(camera.close)
            self._cameras[topic] = camera
        self._latencies = Latencies(self)
        self._held.callback(self._latencies.close)
        self._label_info = self.create_lifecycle_publisher(LabelInfo, 'label_info', LATCHED)
        self._held.callback(self.destroy_lifecycle_publisher, self._label_info)
        self._class_ids = detector.labels
        if config.class_id_format == 'index':
            self._class_ids = tuple(str(i) for i in range(len(detector.labels)))

    def _unsubscribe(self) -> None:
        for camera in self._cameras.values():
            camera.unsubscribe()

    def _say_released(self, detector: Detector) -> None:
        if detector.abandoned_slots:
            self.get_logger().error(
                f'{detector.placement}: {detector.abandoned_slots} tasks never ended, so the '
                'device handle is left open (destroying it could crash the process); it is given '
                'back when the process ends'
            )
        else:
            self.get_logger().info(f'released {detector.placement}')

    def _publish_label_info(self) -> None:
        detector = self._detector
        if detector is None:
            return
        header = messages.Header(stamp=self.get_clock().now().to_msg())
        threshold = detector.thresholds.confidence
        self._label_info.publish(messages.to_label_info(detector.labels, threshold, header))

    # ── images ───────────────────────────────────────────────────────────────────────────────

    def _on_image(self, topic: str, message: Any) -> None:
        """Hand an image to the pipeline: nothing is decoded or copied on the executor's thread."""
        detector = self._detector
        if detector is not None:
            detector.offer(Frame(source=topic, token=message, load=partial(self._view, message)))

    def _view(self, message: Any) -> ImageView:
        messages.check_frame_id(message)
        if messages.is_compressed(message):
            return messages.decode_image(message, self._max_pixels)
        try:
            return messages.view_image(message, self._max_pixels)
        except ImageError as err:
            if not messages.is_unknown_encoding(message):
                raise
            return check_pixels(self._bridge.convert(message, err), self._max_pixels)

    def _on_result(self, result: Result) -> None:
        camera = self._cameras.get(result.frame.source)
        if camera is None:
            return  # a task that outlived its drain; cleanup has closed the publishers by now
        header = result.frame.token.header
        array = messages.to_detection_array(result.detections, header, self._class_ids)
        camera.detections.publish(array)
        age_ms = camera.watch.see_result(result.timings, header)
        if self._latencies is not None:
            self._latencies.publish(result.timings, age_ms)
        if camera.is_debugged:
            self._publish_debug_image(camera, result)

    def _publish_debug_image(self, camera: Camera, result: Result) -> None:
        labels = self._detector.labels if self._detector is not None else ()
        picture = draw(to_bgr(result.image), result.detections, labels)
        camera.debug_image.publish(self._bridge.write(picture, result.frame.token.header))

    def _on_invalid(self, frame: Frame, error: DlaRosError) -> None:
        camera = self._cameras.get(frame.source)
        if camera is not None:
            camera.watch.see_refusal(error)
            camera.complain(f"dropped an image of '{frame.source}': {error}")

    def _on_failure(self, error: Exception) -> None:
        """Leave 'active' through on_error: after a DLA error everything must be opened anew."""
        self._failure, self._details = str(error), getattr(error, 'details', {})
        self.get_logger().fatal(f'the detector failed: {error}')
        self._diagnostics.publish()
        self.worker.start_next(self._leave_after_failure)

    def _leave_after_failure(self) -> None:
        state = self._state_machine.current_state[1]
        if state == 'active':
            self.trigger_deactivate()
        elif state == 'inactive':
            self.trigger_cleanup()

    # ── parameters and status ────────────────────────────────────────────────────────────────

    def _on_parameters_set(self, changes: Sequence[Parameter]) -> None:
        if self._detector is not None and parameters.live_values(changes):
            config = parameters.read(self)
            self._detector.set_thresholds(config)
            for camera in self._cameras.values():
                camera.watch.limits = Limits.of(config)
            self._publish_label_info()

    def _condition(self) -> Condition:
        return Condition(
            state=self._state_machine.current_state[1],
            trouble=self._failure or self.refusal or '; '.join(self.faults.values()),
            details=self._details,
            topics=self.get_parameter('image_topics').value,
            notice=self.get_parameter('fallback_notice').value,
            detector=self._detector,
            cameras=list(self._cameras.values()),
        )
