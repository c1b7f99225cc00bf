"""The contract of an inference engine, so that the pipeline need not know which one runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from dla_ros.config import DetectorConfig
from dla_ros.devices.protocol import Buffer, Device, Stream
from dla_ros.errors import EngineError
from dla_ros.tensors.spec import TensorSpec


class Binding(Protocol):
    """
    Hold what one task in flight needs: buffers in the engine's order, registered, and the task.

    A binding belongs to one stream; its buffers are fixed for its life.
    """

    stream: Stream
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]

    def close(self) -> None:
        """
        Give the buffers back (unregister, then free); a second call does nothing.

        The caller has synchronized the stream before.
        """


class Engine(Protocol):
    """
    Run one network.

    ``backend`` is its name, as 'cudla' or 'onnx'; ``placement`` says in words what runs it,
    honestly: 'DLA core 0', 'DLA core 0 (emulated)', 'ONNX Runtime (CPUExecutionProvider)'.
    ``is_emulated`` is True where no hardware accelerator does the work that it claims.
    """

    backend: str
    placement: str
    is_emulated: bool
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]

    def bind(self, stream: Stream) -> Binding:
        """Allocate and register the buffers for one slot; raise EngineError or DeviceError."""

    def submit(self, binding: Binding) -> None:
        """
        Enqueue one run on the binding's stream and return at once.

        Raise EngineError for what is known at once; what fails later shows when the stream is
        waited for, and ``last_error`` then says why.
        """

    def last_error(self) -> EngineError | None:
        """Return what the engine knows of a task that failed on the stream, None for nothing."""

    def close(self) -> None:
        """Release everything, in the documented order, once; bindings are closed before."""


class EngineType(Protocol):
    """
    Say which files an engine runs and where, and open it.

    Other packages bring one, usually the engine's own class, through the entry-point group
    ``dla_ros.engines``; its name there is what the parameter ``backend`` calls it.
    """

    @classmethod
    def runs(cls, path: Path, head: bytes) -> bool:
        """
        Tell, for ``backend: auto``, whether a file is one for this engine.

        ``head`` are its first bytes (``loadable.file_kind.HEAD_BYTES`` of them). What dla_ros
        itself runs is not asked about.
        """

    @classmethod
    def devices(cls, config: DetectorConfig) -> tuple[str, ...]:
        """Name the devices on whose memory it works ('host', 'cuda'), the usual one first."""

    @classmethod
    def open(
        cls,
        path: Path,
        device: Device,
        config: DetectorConfig,
        *,
        options: Mapping[str, Any],
        scales: Mapping[str, float],
    ) -> Engine:
        """
        Load a network.

        ``options`` are those of the parameter ``engine_options``, ``scales`` the int8 steps of
        tensors by name, as recorded. Raise EngineError or ConfigError that names what is wrong,
        nothing being left taken; whatever else is raised is told as an EngineError.
        """
