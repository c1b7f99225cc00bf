"""Choosing the engine that suits a file, and opening it."""

from collections.abc import Mapping
from pathlib import Path

from dla_ros.config import DetectorConfig
from dla_ros.detector.built_in import BUILT_IN
from dla_ros.detector.json_options import read_json_object
from dla_ros.devices.protocol import Device
from dla_ros.engines.protocol import Engine, EngineType
from dla_ros.engines.registry import BroughtEngine, find_by_file
from dla_ros.errors import ConfigError, EngineError
from dla_ros.files.regular_file import open_regular, read_regular
from dla_ros.loadable.file_kind import FileKind, HEAD_BYTES
from dla_ros.loadable.loadable import BUILD_HINT, MOST_BYTES

_WORDS = {'onnx': 'ONNX Runtime', 'cudla': 'cuDLA'}


def open_engine(
    path: str | Path,
    device: Device,
    config: DetectorConfig,
    scales: Mapping[str, float] | None = None,
    content: bytes | None = None,
) -> Engine:
    """
    Open the engine for a network file: cuDLA for a loadable, ONNX Runtime for an ONNX model.

    ``config.backend`` may insist on one, or on one that another package brings. ``scales`` are
    the int8 steps of tensors by name; ``content`` is what :func:`read_network` gave, and is run
    in place of what lies in the file now. Raise EngineError, or another DlaRosError, that names
    the file, what is wrong and the remedy.
    """
    backend = backend_of(Path(path), config.backend, content)
    options = read_json_object('engine_options', config.engine_options)
    if options and backend in BUILT_IN:
        raise ConfigError(
            f'engine_options is {config.engine_options!r}, but {backend} is no engine of another '
            'package; its options are parameters of their own (dla_ros parameters)'
        )
    if backend in BUILT_IN:
        own = BUILT_IN[backend]
        return own.open(
            Path(path), device, config, options=options, scales=scales or {}, content=content
        )
    engine = BroughtEngine(backend)
    return engine.open(Path(path), device, config, options=options, scales=scales or {})


def read_network(path: Path, config: DetectorConfig) -> bytes | None:
    """
    Read a network file once, so that what is looked at, hashed and run is the same.

    None for one that an engine of another package reads itself. Raise as :func:`backend_of`.
    """
    if backend_of(path, config.backend) not in BUILT_IN:
        return None
    try:
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        raise _unreadable(path, error) from error


def device_for(path: Path, config: DetectorConfig, content: bytes | None = None) -> str:
    """
    Name the device that the engine for a file works on: 'host' or 'cuda'.

    Raise EngineError or ConfigError for a file that no engine runs, or not on the device asked.
    """
    backend = backend_of(path, config.backend, content)
    devices = _find(backend).devices(config)
    if config.device == 'auto':
        return devices[0]
    if config.device not in devices:
        name = _WORDS.get(backend, f"engine '{backend}'")
        raise ConfigError(
            f"device is {config.device}, but {name}, which runs '{path}', works on memory of "
            f'{" or ".join(devices)} here; set device: auto'
        )
    return config.device


def backend_of(path: Path, asked: str, content: bytes | None = None) -> str:
    """
    Return the name of the engine for a file; what is asked for must agree with its content.

    Raise EngineError for a file that cannot be read or is no network, ConfigError for
    disagreement. An engine of another package that is asked for is believed.
    """
    head = _head_of(path) if content is None else content[:HEAD_BYTES]
    own = next((name for name, each in BUILT_IN.items() if each.runs(path, head)), None)
    if asked not in {'auto', *BUILT_IN}:
        return asked
    backend = own or (find_by_file(path, head) if asked == 'auto' else None)
    kind = FileKind.of(head)
    if backend is None:
        raise EngineError(f"'{path}' is {kind.words}, no network to run; {BUILD_HINT}")
    if asked not in {'auto', backend}:
        raise ConfigError(
            f"backend is {asked}, but '{path}' is {kind.words}, which {backend} runs; "
            'set backend: auto, or another engine_file_path'
        )
    return backend


def _find(backend: str) -> type[EngineType] | BroughtEngine:
    return BUILT_IN[backend] if backend in BUILT_IN else BroughtEngine(backend)


def _head_of(path: Path) -> bytes:
    """Return the first bytes of a file; raise EngineError where it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> EngineError:
    return EngineError(
        f"cannot read the engine '{path}': {error.strerror or error}; check engine_file_path"
    )
