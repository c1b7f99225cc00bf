"""A detector put together: device, engine, head and pipeline, from settings alone."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from dla_ros.config import DetectorConfig
from dla_ros.devices.open import open_device
from dla_ros.devices.protocol import Device
from dla_ros.engines.open import device_for, open_engine
from dla_ros.engines.protocol import Engine
from dla_ros.errors import ConfigError, DeviceError, ImageError
from dla_ros.heads.labels import check_labels
from dla_ros.heads.protocol import Head
from dla_ros.heads.registry import open_head
from dla_ros.owner import Owner
from dla_ros.pipeline.counters import Snapshot
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.pipeline.result import Result
from dla_ros.pipeline.thresholds import Thresholds
from dla_ros.plan import Plan

# cuDLA itself ends a task that takes too long, says why, and its handle can be closed then; the
# pipeline's watchdog comes after it, for tasks that do not even end so.
_AFTER_TIMEOUT_S = 0.5


class Detector(Owner):
    """
    Own everything between an image and its boxes.

    ``open`` takes the device and loads the network; ``close`` gives everything back in order.
    """

    def __init__(
        self,
        held: ExitStack,
        plan: Plan,
        device: Device,
        engine: Engine,
        head: Head,
        pipeline: Pipeline,
    ) -> None:
        """Keep what ``open`` opened."""
        self._held = held
        self._device = device
        self._plan = plan
        self._engine = engine
        self._head = head
        self._pipeline = pipeline

    @classmethod
    def open(
        cls,
        config: DetectorConfig,
        *,
        on_result: Callable[[Result], None],
        on_invalid: Callable[[Frame, ImageError], None],
        on_failure: Callable[[Exception], None],
    ) -> 'Detector':
        """
        Open the detector that ``config`` describes; see Pipeline.open for the three listeners.

        Raise a DlaRosError that says what is wrong; nothing is left taken then.
        """
        if not config.engine_file_path:
            raise ConfigError(
                'engine_file_path is empty; set it to a DLA loadable or an ONNX model, as '
                '-p engine_file_path:=/opt/models/detector.dla'
            )
        # a file that is no network at all should be told before what its record lacks
        path = Path(config.engine_file_path)
        device_name = device_for(path, config)
        plan = Plan.of(config)
        with ExitStack() as held:
            device = held.enter_context(_open_device(device_name, config))
            engine = open_engine(path, device, config, plan.scales)
            closing = held.enter_context(_EngineLast(engine))
            head = open_head(plan.head, engine.inputs[0], engine.outputs, plan.head_options)
            check_labels(plan.labels, head.num_classes)
            closing.pipeline = pipeline = Pipeline.open(
                engine, device, head, plan.preprocessing,
                on_result=on_result, on_invalid=on_invalid, on_failure=on_failure,
                slots=config.slots, thresholds=to_thresholds(config),
                watchdog_s=config.task_timeout_ms / 1000 + _AFTER_TIMEOUT_S,
            )  # fmt: skip
            return cls(held.pop_all(), plan, device, engine, head, pipeline)

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
        return bool(self.abandoned_slots) or self._device.is_lost()

    def close(self) -> None:
        """Close pipeline, engine and device in this order; a second call does nothing."""
        self._held.close()


def _open_device(name: str, config: DetectorConfig) -> Device:
    try:
        return open_device(name)
    except DeviceError as err:
        if name == 'host' or config.dla_device == 'emulator':
            raise
        raise DeviceError(
            f'{err}. On a machine without a DLA, set dla_device: emulator (a loadable that '
            'dla_ros emulate made)'
        ) from err


class _EngineLast:
    """Close the pipeline, then the engine, unless a task still runs on the device."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.pipeline: Pipeline | None = None

    def __enter__(self) -> '_EngineLast':
        return self

    def __exit__(self, *_: object) -> None:
        if self.pipeline is not None:
            self.pipeline.close()
            if self.pipeline.abandoned_slots:
                # destroying a device with tasks in flight can crash the process (cudla.h)
                return
        self._engine.close()


def to_thresholds(config: DetectorConfig) -> Thresholds:
    """Take the live thresholds out of the settings."""
    return Thresholds(config.confidence_threshold, config.nms_threshold, config.max_detections)
