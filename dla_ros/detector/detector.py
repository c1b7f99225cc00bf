"""A detector put together: device, engine, head and pipeline, from settings alone."""

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Literal, overload

from dla_ros.config import DetectorConfig
from dla_ros.detections import Detections
from dla_ros.detector.engine import device_for, open_engine, read_network
from dla_ros.detector.open import EngineLast, open_device_for
from dla_ros.detector.plan import Plan
from dla_ros.devices.protocol import Device
from dla_ros.engines.protocol import Engine
from dla_ros.errors import ConfigError, ImageError
from dla_ros.heads.labels import check_labels
from dla_ros.heads.protocol import Head
from dla_ros.heads.registry import open_head
from dla_ros.held import Held
from dla_ros.images.array_image import Image, is_one_image, Load, to_load
from dla_ros.owner import Owner
from dla_ros.pipeline.counters import Snapshot
from dla_ros.pipeline.frame import Frame, OnFailure, OnInvalid, OnResult, Thresholds
from dla_ros.pipeline.in_order import ResultsInOrder
from dla_ros.pipeline.pipeline import Pipeline
import numpy as np

# cuDLA itself ends a task that takes too long, says why, and its handle can be closed then; the
# pipeline's watchdog comes after it, for tasks that do not even end so.
_AFTER_TIMEOUT_S = 0.5


class Detector(Owner):
    """
    Own everything between an image and its boxes.

    ``open`` takes the device and loads the network; ``close`` gives everything back in order.
    ``detect`` and ``detect_many`` lose no image; ``offer`` is for live cameras, of each of which
    the newest image counts. All of them may be called from any thread, side by side: images that
    are waited for and the newest of each camera take turns, in the order in which they came.
    """

    def __init__(
        self,
        held: Held,
        plan: Plan,
        device: Device,
        engine: Engine,
        head: Head,
        pipeline: Pipeline,
        slots: int,
    ) -> None:
        """Keep what ``open`` opened."""
        self._held = held
        self._is_left = False
        self._device = device
        self._plan = plan
        self._engine = engine
        self._head = head
        self._pipeline = pipeline
        self._slots = slots

    @classmethod
    def open(
        cls,
        config: DetectorConfig,
        *,
        on_result: OnResult | None = None,
        on_invalid: OnInvalid | None = None,
        on_failure: OnFailure | None = None,
    ) -> 'Detector':
        """
        Open the detector that ``config`` describes.

        The three listeners are for ``offer``, see Pipeline.open. Raise a DlaRosError that says
        what is wrong; nothing is left taken then.
        """
        if not config.engine_file_path:
            raise ConfigError(
                'engine_file_path is empty; set it to a DLA loadable or an ONNX model, as '
                '-p engine_file_path:=/opt/models/detector.dla'
            )
        # a file that is no network at all should be told before what its record lacks
        path = Path(config.engine_file_path)
        content = read_network(path, config)
        device_name = device_for(path, config, content)
        plan = Plan.of(config, content)
        with Held() as held:
            device = held.enter_context(open_device_for(device_name, config))
            engine = open_engine(path, device, config, plan.scales, content)
            closing = held.enter_context(EngineLast(engine))
            head = open_head(plan.head, engine.inputs[0], engine.outputs, plan.head_options)
            check_labels(plan.labels, head.num_classes)
            closing.pipeline = pipeline = Pipeline.open(
                engine, device, head, plan.preprocessing,
                on_result=on_result, on_invalid=on_invalid, on_failure=on_failure,
                slots=config.slots, thresholds=to_thresholds(config),
                watchdog_s=config.task_timeout_ms / 1000 + _AFTER_TIMEOUT_S,
            )  # fmt: skip
            return cls(held.pop_all(), plan, device, engine, head, pipeline, config.slots)

    def detect(self, image: Image | Load, encoding: str = '') -> Detections:
        """
        Return what is found in one image, waiting for it.

        ``image`` is an ImageView, a NumPy array of uint8 (shapes and ``encoding``: see
        :func:`dla_ros.images.array_image.to_image`), or a function that returns one of them,
        called when its turn comes. It is read where it is, and nothing keeps it afterwards. Raise
        ImageError for an image that cannot be read, and detection goes on; another EngineError,
        an EngineHangError where a task does not end, means: close, and open another detector.
        """
        return self._submit(image, encoding).result()

    @overload
    def detect_many(
        self, images: Iterable[Image | Load], encoding: str = ''
    ) -> ResultsInOrder[Detections]: ...

    @overload
    def detect_many(
        self,
        images: Iterable[Image | Load],
        encoding: str = '',
        *,
        return_exceptions: Literal[True],
    ) -> ResultsInOrder[Detections | ImageError]: ...

    def detect_many(
        self,
        images: Iterable[Image | Load],
        encoding: str = '',
        *,
        return_exceptions: bool = False,
    ) -> ResultsInOrder[Detections] | ResultsInOrder[Detections | ImageError]:
        """
        Return an iterator over what is found in each image, in their order.

        All slots are kept busy; no more images than slots, and one, are taken from ``images``
        before their results are. An image that cannot be read is an ImageError in its place,
        raised or, with ``return_exceptions``, given: in either case the next call goes on with
        the next image. See :class:`dla_ros.pipeline.in_order.ResultsInOrder`.
        """
        if isinstance(images, np.ndarray) and is_one_image(images):
            raise TypeError('detect_many takes several images; use detect for one')

        def submit(image: Image | Load) -> 'Future[Detections]':
            try:
                return self._submit(image, encoding)
            except ImageError as error:
                refused: Future[Detections] = Future()
                refused.set_exception(error)
                return refused

        return ResultsInOrder(
            images, submit, ahead=self._slots + 1, returns_errors=return_exceptions
        )

    def offer(self, frame: Frame) -> None:
        """Take a frame and return at once (Pipeline.offer)."""
        self._pipeline.offer(frame)

    def drain(self, timeout_s: float = 5.0) -> bool:
        """Wait until no frame is waiting or in flight; tell whether that came in time."""
        return self._pipeline.drain(timeout_s)

    def set_thresholds(self, config: DetectorConfig) -> None:
        """Take the thresholds of ``config``, for the next result on."""
        self._pipeline.thresholds = to_thresholds(config)

    @property
    def thresholds(self) -> Thresholds:
        """Give the limits of results now."""
        return self._pipeline.thresholds

    @property
    def counts(self) -> Snapshot:
        """Give what became of every frame so far."""
        return self._pipeline.counts

    @property
    def labels(self) -> tuple[str, ...]:
        """Give the class names; numbers where nobody has named the classes."""
        return self._plan.labels or tuple(str(i) for i in range(self._head.num_classes))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Give what a person should know although it works."""
        return self._plan.warnings

    @property
    def placement(self) -> str:
        """Say honestly what runs the network: ``DLA core 0 (emulated)``."""
        return self._engine.placement

    @property
    def facts(self) -> Mapping[str, str]:
        """Give what should stand in diagnostics and logs about this detector."""
        return {
            'device': 'emulated' if self._engine.is_emulated else 'hardware',
            'placement': self._engine.placement,
            'backend': self._engine.backend,
            'input': str(self._engine.inputs[0]),
            'outputs': ', '.join(str(spec) for spec in self._engine.outputs),
            'head': f'{self._plan.head}, {self._head.num_classes} classes',
        }

    @property
    def summary(self) -> str:
        """Say in one line what was opened."""
        facts = self.facts
        return f'{facts["placement"]}; {facts["input"]} -> {facts["outputs"]}; {facts["head"]}'

    @property
    def abandoned_slots(self) -> int:
        """Count the slots whose work never ended; their device is given back by process exit."""
        return self._pipeline.abandoned_slots

    @property
    def is_lost(self) -> bool:
        """Tell, after close, whether only a new process can open it again."""
        return self._is_left or bool(self.abandoned_slots) or self._device.is_lost()

    def close(self) -> None:
        """
        Close pipeline, engine and device in this order; a second call does nothing.

        Everything is closed whatever raises, and each failure told, in one error; what could not
        be given back counts as lost.
        """
        try:
            self._held.close()
        except Exception:
            self._is_left = True
            raise

    def _submit(self, image: Image | Load, encoding: str) -> 'Future[Detections]':
        return self._pipeline.submit(to_load(image, encoding))


def to_thresholds(config: DetectorConfig) -> Thresholds:
    """Take the live thresholds out of the settings."""
    return Thresholds(config.confidence_threshold, config.nms_threshold, config.max_detections)
