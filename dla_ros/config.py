"""
Every setting of the detector, once: the table that declares, checks, documents and reads them.

Names follow the neighbours (isaac_ros_*, autoware_tensorrt_yolox); ``''`` or an empty list means:
as the deployment record beside the engine says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from dla_ros.images.image import MAX_PIXELS
from dla_ros.setting import Setting, setting, setting_of, When

# The entry-point group by which other packages bring engines.
ENGINES = 'dla_ros.engines'
QOS_NAMES = ('SYSTEM_DEFAULT', 'DEFAULT', 'SENSOR_DATA', 'SERVICES_DEFAULT', 'PARAMETERS',
             'PARAMETER_EVENTS')  # fmt: skip


@dataclass(frozen=True)
class DetectorConfig:
    """Hold the settings of one detector node; raise ConfigError for a value out of its bounds."""

    engine_file_path: str = setting(
        '', 'The network: a DLA loadable or an ONNX model, its record (.yaml) beside it.'
    )
    backend: str = setting(
        'auto',
        'What runs the network: cudla, onnx, an engine of another package, or auto (by the '
        'content of the file).',
        choices=('auto', 'cudla', 'onnx'),
        group=ENGINES,
    )
    device: str = setting(
        'auto',
        'Who prepares pictures and holds tensors: cuda (the GPU), host (the CPU), or auto: cuda '
        'for a hardware DLA, which needs it, else host.',
        choices=('auto', 'host', 'cuda'),
    )
    dla_core: int = setting(
        0, 'The DLA core: 0 or 1 on Orin. There is no fallback to the GPU.', low=0, high=15
    )
    dla_device: str = setting(
        'hardware',
        'The DLA itself, or its emulation in software on a machine without one.',
        choices=('hardware', 'emulator'),
    )
    dla_emulator_options: str = setting(
        '', 'Delays and faults of the emulator, as task_ms=5,fail=submit:3.'
    )
    task_timeout_ms: int = setting(
        2000, 'Milliseconds after which a task counts as hung.', low=1, high=1_000_000
    )
    onnx_providers: tuple[str, ...] = setting(
        ('CPUExecutionProvider',), 'Execution providers of ONNX Runtime, best first.'
    )
    onnx_provider_options: str = setting(
        '', 'Options of the providers: a JSON object, provider name to object.'
    )
    onnx_threads: int = setting(
        0, 'Threads of ONNX Runtime, emulator included; 0: its own choice.', low=0, high=256
    )
    engine_options: str = setting(
        '', 'Options of an engine that another package brings: a JSON object.'
    )
    record_policy: str = setting(
        'warn',
        'What a record made on another platform means: fail the configure, or warn.',
        choices=('strict', 'warn'),
    )
    slots: int = setting(2, 'Frames in flight at the same time.', low=1, high=8)

    image_topics: tuple[str, ...] = setting(
        ('image',), 'Image topics; each gets its detections beside it.'
    )
    image_transport: str = setting(
        'raw',
        'raw: sensor_msgs/Image; compressed: TOPIC/compressed, sensor_msgs/CompressedImage.',
        choices=('raw', 'compressed'),
    )
    max_image_pixels: int = setting(
        MAX_PIXELS,
        'Largest picture, height times width; a larger one is refused before it is decoded.',
        low=1,
        high=1 << 29,
    )
    input_qos: str = setting('SENSOR_DATA', 'QoS profile of the image topics.', choices=QOS_NAMES)
    input_qos_depth: int = setting(5, 'Queue depth of the image topics.', low=1, high=1000)
    output_qos: str = setting('DEFAULT', 'QoS profile of the detections.', choices=QOS_NAMES)
    output_qos_depth: int = setting(10, 'Queue depth of the detections.', low=1, high=1000)

    head: str = setting('', 'How outputs become boxes: nanodet, yolox, yolov8, yolov5, ssd, ...')
    label_list: tuple[str, ...] = setting((), 'Class names in the order of the classes.', kind=str)
    label_path: str = setting('', 'A text file of class names, one a line.')
    class_id_format: str = setting(
        'index',
        'class_id in the messages: the index (label_info maps it to the name), or the name.',
        choices=('index', 'name'),
    )
    network_encoding: str = setting(
        '', 'Channel order the network wants.', choices=('', 'rgb8', 'bgr8', 'mono8')
    )
    image_mean: tuple[float, ...] = setting(
        (), 'Subtracted from each channel (0 to 255), in the order of the network.', kind=float
    )
    image_stddev: tuple[float, ...] = setting(
        (), 'Then divided by; in the order of the network.', kind=float
    )
    padding_type: str = setting(
        '',
        'Where padding goes to keep the aspect ratio; STRETCH does not keep it.',
        choices=('', 'CENTER', 'BOTTOM_RIGHT', 'STRETCH'),
    )
    padding_value: int = setting(
        -1, 'Pixel value of the padding; -1: as recorded.', low=-1, high=255
    )

    confidence_threshold: float = setting(
        0.4, 'Least score of a detection.', low=0.0, high=1.0, when=When.LIVE
    )
    nms_threshold: float = setting(
        0.6, 'Overlap (IoU) above which the weaker box of a class goes.',
        low=0.0, high=1.0, when=When.LIVE,
    )  # fmt: skip
    max_detections: int = setting(
        100, 'Most detections in one message.', low=1, high=1000, when=When.LIVE
    )

    expected_rate: float = setting(
        0.0,
        'Images a second that each topic should bring; /diagnostics warns of less. 0: unknown.',
        low=0.0, high=1000.0, when=When.LIVE,
    )  # fmt: skip
    image_timeout_ms: int = setting(
        5000,
        'Milliseconds without an image after which /diagnostics calls it an error; 0: never.',
        low=0, high=86_400_000, when=When.LIVE,
    )  # fmt: skip
    latency_limit_ms: int = setting(
        0,
        'Milliseconds that the slowest of 100 detections may take; /diagnostics warns of more. '
        '0: no limit.',
        low=0, high=1_000_000, when=When.LIVE,
    )  # fmt: skip
    diagnostics_period: float = setting(
        1.0, 'Seconds between two messages on /diagnostics.', low=0.1, high=60.0, when=When.START
    )
    tune_malloc: bool = setting(
        True, 'Keep freed image memory in the process (glibc mallopt).', when=When.START
    )
    when_lost: str = setting(
        'restart',
        'When only a new process can use the GPU or DLA again: start anew (a container stays), '
        'end with exit code 1, or stay.',
        choices=('restart', 'exit', 'stay'),
        when=When.LIVE,
    )
    executor: str = setting(
        'auto',
        'Executor of the process: auto takes events where rclpy has it.',
        choices=('auto', 'events', 'single'),
        when=When.START,
    )
    fallback_notice: str = setting(
        '',
        'Why the node runs on its fallback engine, set by bring_up; /diagnostics warns of it.',
        when=When.LIVE,
    )
    launch_id: str = setting(
        '', 'Which launch has loaded the node; bring_up touches no other.', when=When.START
    )

    def __post_init__(self) -> None:
        """Check every value against its row; numbers become the type of the row."""
        for name, row in settings().items():
            object.__setattr__(self, name, row.check(name, getattr(self, name)))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> 'DetectorConfig':
        """Make a config from parameter values; unknown names are a TypeError."""
        return cls(**values)


def settings() -> dict[str, Setting]:
    """Give the whole table, name to row, in the order of the documentation."""
    return dict(_rows())


def _rows() -> Iterator[tuple[str, Setting]]:
    for item in fields(DetectorConfig):
        yield item.name, setting_of(item)
