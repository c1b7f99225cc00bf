"""
The sections of a deployment record.

Everything may be left out: None, '' or empty means that nobody wrote it down. ``choices`` in a
field's metadata are the only values allowed; the reader and the documentation take them from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dla_ros.loadable.file_kind import RECORDED

KINDS = tuple(RECORDED)
MODES = ('hybrid',)


@dataclass(frozen=True)
class Source:
    """
    Name the model that the engine was built from.

    ``external_data`` is as in :class:`Artifact`.
    """

    file: str | None = None
    sha256: str | None = None
    revision: str | None = None
    origin: str | None = None
    licence: str | None = None
    external_data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Build:
    """Say how the engine was built; ``command`` is the exact command line."""

    tool: str | None = None
    version: str | None = None
    command: str | None = None
    precision: str | None = None
    log: str | None = None


@dataclass(frozen=True)
class Artifact:
    """
    Identify the engine file; ``size`` is in bytes.

    The kind is about the file: a *standalone loadable* runs in hybrid mode all the same.
    ``external_data`` has the sha256 of each file in which an ONNX model keeps its weights, by the
    name of the file beside the model.
    """

    kind: str | None = field(default=None, metadata={'choices': KINDS})
    sha256: str | None = None
    size: int | None = None
    external_data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Runtime:
    """Say how the engine is run: in hybrid mode DLA tasks are ordered by CUDA streams."""

    mode: str | None = field(default=None, metadata={'choices': MODES})


@dataclass(frozen=True)
class Platform:
    """Name the machine that the engine was built and measured on."""

    device: str | None = None
    l4t: str | None = None
    jetpack: str | None = None
    cuda: str | None = None
    power_mode: str | None = None


@dataclass(frozen=True)
class Placement:
    """List the layers that run on the DLA, and those left to the GPU (none in a loadable)."""

    dla: tuple[str, ...] = ()
    gpu: tuple[str, ...] = ()


@dataclass(frozen=True)
class Port:
    """Hold what a descriptor does not tell: trtexec's format, and the int8 step."""

    format: str | None = None
    scale: float | None = None


@dataclass(frozen=True)
class Io:
    """Describe inputs and outputs by the names of their tensors."""

    inputs: Mapping[str, Port] = field(default_factory=dict)
    outputs: Mapping[str, Port] = field(default_factory=dict)


@dataclass(frozen=True)
class Head:
    """Name the head that reads the outputs, with its options."""

    name: str = ''
    options: Mapping[str, Any] = field(default_factory=dict)
