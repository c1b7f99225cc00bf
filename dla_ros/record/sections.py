"""
The sections of a deployment record.

Everything may be left out: None, '' or empty means that nobody wrote it down. ``choices`` in a
field's metadata are the only values allowed; the reader and the documentation take them from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional

KINDS = ('dla_standalone_loadable', 'dla_emulator_loadable', 'onnx_model')
MODES = ('hybrid',)


@dataclass(frozen=True)
class Source:
    """Name the model that the engine was built from."""

    file: Optional[str] = None
    sha256: Optional[str] = None
    revision: Optional[str] = None
    origin: Optional[str] = None
    licence: Optional[str] = None


@dataclass(frozen=True)
class Build:
    """Say how the engine was built; ``command`` is the exact command line."""

    tool: Optional[str] = None
    version: Optional[str] = None
    command: Optional[str] = None
    precision: Optional[str] = None
    log: Optional[str] = None


@dataclass(frozen=True)
class Artifact:
    """
    Identify the engine file; ``size`` is in bytes.

    The kind is about the file: a *standalone loadable* runs in hybrid mode all the same.
    """

    kind: Optional[str] = field(default=None, metadata={'choices': KINDS})
    sha256: Optional[str] = None
    size: Optional[int] = None


@dataclass(frozen=True)
class Runtime:
    """Say how the engine is run: in hybrid mode DLA tasks are ordered by CUDA streams."""

    mode: Optional[str] = field(default=None, metadata={'choices': MODES})


@dataclass(frozen=True)
class Platform:
    """Name the machine that the engine was built and measured on."""

    device: Optional[str] = None
    l4t: Optional[str] = None
    jetpack: Optional[str] = None
    cuda: Optional[str] = None
    power_mode: Optional[str] = None


@dataclass(frozen=True)
class Placement:
    """List the layers that run on the DLA, and those left to the GPU (none in a loadable)."""

    dla: tuple[str, ...] = ()
    gpu: tuple[str, ...] = ()


@dataclass(frozen=True)
class Port:
    """Hold what a descriptor does not tell: trtexec's format, and the int8 step."""

    format: Optional[str] = None
    scale: Optional[float] = None


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
