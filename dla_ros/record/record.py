"""The deployment record: everything a robot needs to know of an engine file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
import os
from pathlib import Path
from typing import Any, Optional

from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.record.check import check_artifact, differences
from dla_ros.record.local_platform import platform_here
from dla_ros.record.parse import parse
from dla_ros.record.sections import (
    Artifact,
    Build,
    Head,
    Io,
    Placement,
    Platform,
    Runtime,
    Source,
)
from dla_ros.record.write import write


@dataclass(frozen=True)
class DeploymentRecord:
    """
    Hold what is known of a network; every part may be left out.

    For a plain ONNX model four parts suffice: source, preprocessing, head, labels. ``labels``
    stand in the order of the classes. ``validation`` and ``benchmark`` keep results as they were
    written down.
    """

    source: Source = field(default_factory=Source)
    build: Build = field(default_factory=Build)
    artifact: Artifact = field(default_factory=Artifact)
    runtime: Runtime = field(default_factory=Runtime)
    platform: Platform = field(default_factory=Platform)
    placement: Placement = field(default_factory=Placement)
    io: Io = field(default_factory=Io)
    preprocessing: Preprocessing | None = None
    head: Head | None = None
    labels: tuple[str, ...] = ()
    validation: Mapping[str, Any] = field(default_factory=dict)
    benchmark: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path) -> 'DeploymentRecord':
        """Read a record; raise RecordError, naming file, line, key and value, for a bad one."""
        return cls(**parse(Path(path)))

    @classmethod
    def beside(cls, engine_path: str | Path) -> Optional['DeploymentRecord']:
        """Read the record that belongs to an engine file, None where there is none."""
        path = record_path(engine_path)
        return cls.read(path) if os.path.lexists(path) else None

    def write(self, path: str | Path) -> None:
        """Write the record; what is not known is left out. Raise RecordError on failure."""
        write(self, Path(path))

    def check_artifact(self, engine_path: str | Path, content: bytes | None = None) -> None:
        """Raise RecordError unless file, or what was read of it, is as recorded: size, sha256."""
        check_artifact(self.artifact, Path(engine_path), content)

    def check_platform(self, here: Platform | None = None) -> list[str]:
        """Give a sentence for each difference between the recorded and this machine."""
        return differences(self.platform, platform_here() if here is None else here)

    @property
    def scales(self) -> dict[str, float]:
        """Give the int8 step of each tensor that has one, by the tensor's name."""
        ports = {**self.io.inputs, **self.io.outputs}
        return {name: port.scale for name, port in ports.items() if port.scale is not None}


def record_path(engine_path: str | Path) -> Path:
    """Give where the record of an engine file lies: ``net.dla`` has ``net.dla.yaml``."""
    return Path(f'{engine_path}.yaml')
