"""Choosing and opening the engine that suits a file: on hardware, emulated, or ONNX Runtime."""

from collections.abc import Mapping
from dataclasses import replace
import json
from pathlib import Path
from typing import Any

from dla_ros.config import DetectorConfig
from dla_ros.devices.protocol import Device
from dla_ros.emulator import EmulatorOptions, start
from dla_ros.engines.cudla.engine import CudlaEngine
from dla_ros.engines.onnx import OnnxEngine
from dla_ros.engines.protocol import Engine
from dla_ros.errors import ConfigError, EngineError
from dla_ros.loadable.file_kind import FileKind, HEAD_BYTES
from dla_ros.loadable.loadable import BUILD_HINT

BACKENDS = {FileKind.LOADABLE: 'cudla', FileKind.ONNX: 'onnx'}


def open_engine(
    path: str | Path,
    device: Device,
    config: DetectorConfig,
    scales: Mapping[str, float] | None = None,
) -> Engine:
    """
    Open the engine for a network file: cuDLA for a loadable, ONNX Runtime for an ONNX model.

    ``config.backend`` may insist on one. ``scales`` are the int8 steps of tensors by name. Raise
    EngineError, or another DlaRosError, that names the file, what is wrong and the remedy.
    """
    backend = backend_of(Path(path), config.backend)
    if backend == 'cudla':
        return _open_cudla(path, device, config, scales)
    return OnnxEngine.open(
        path,
        device,
        providers=config.onnx_providers,
        provider_options=_provider_options(config.onnx_provider_options),
        threads=config.onnx_threads or None,
        scales=scales,
    )


def device_for(path: Path, config: DetectorConfig) -> str:
    """
    Name the device that the engine for a file works on: 'host' or 'cuda'.

    Raise EngineError or ConfigError for a file that no engine runs, or not on the device asked.
    """
    backend = backend_of(path, config.backend)
    if config.device != 'auto':
        if config.device == 'cuda' and backend == 'onnx':
            raise ConfigError(
                f"device is cuda, but ONNX Runtime, which runs '{path}', works on memory of the "
                'CPU here; set device: auto'
            )
        return config.device
    is_hardware = backend == 'cudla' and config.dla_device == 'hardware'
    return 'cuda' if is_hardware else 'host'


def _open_cudla(
    path: str | Path, device: Device, config: DetectorConfig, scales: Mapping[str, float] | None
) -> CudlaEngine:
    if config.dla_device == 'emulator' and device.name == 'cuda':
        # CUDA's package is needed only where there is a GPU.
        from dla_ros.emulator.cuda_door import open_cuda_door

        open_cuda_door()
    if config.dla_device == 'emulator':
        start(_emulator_options(config))
    return CudlaEngine.open(
        path,
        device,
        dla_core=config.dla_core,
        is_emulated=config.dla_device == 'emulator',
        scales=scales,
        task_timeout_ms=config.task_timeout_ms,
    )


def _emulator_options(config: DetectorConfig) -> EmulatorOptions:
    text = config.dla_emulator_options
    options = EmulatorOptions.parse(text) if text else EmulatorOptions.from_environment()
    return replace(options, threads=options.threads or config.onnx_threads)


def backend_of(path: Path, asked: str) -> str:
    """
    Choose 'cudla' or 'onnx' by the content of the file; what is asked for must agree with it.

    Raise EngineError for a file that cannot be read or is no network, ConfigError for
    disagreement.
    """
    kind = kind_of(path)
    backend = BACKENDS.get(kind)
    if backend is None:
        raise EngineError(f"'{path}' is {kind.value}, no network to run; {BUILD_HINT}")
    if asked not in {'auto', backend}:
        raise ConfigError(
            f"backend is {asked}, but '{path}' is {kind.value}, which {backend} runs; "
            'set backend: auto, or another engine_file_path'
        )
    return backend


def kind_of(path: Path) -> FileKind:
    """Look at the first bytes of a file; raise EngineError where it cannot be read."""
    try:
        with path.open('rb') as file:
            return FileKind.of(file.read(HEAD_BYTES))
    except OSError as error:
        raise EngineError(
            f"cannot read the engine '{path}': {error.strerror or error}; check engine_file_path"
        ) from error


def _provider_options(text: str) -> dict[str, dict[str, str]]:
    """Read a JSON object: provider name to an object of its options."""
    try:
        found: Any = json.loads(text) if text else {}
    except ValueError as error:
        raise ConfigError(f'onnx_provider_options is not JSON: {error}: {text!r}') from error
    if not isinstance(found, dict) or not all(isinstance(each, dict) for each in found.values()):
        raise ConfigError(
            f'onnx_provider_options must be a JSON object of objects, as '
            f'{{"TensorrtExecutionProvider": {{"trt_dla_enable": "1"}}}}, not {text!r}'
        )
    return {name: {key: _to_text(each) for key, each in options.items()}
            for name, options in found.items()}  # fmt: skip


def _to_text(value: Any) -> str:
    """Write a JSON value as ONNX Runtime wants options: text, booleans as 1 and 0."""
    return str(int(value)) if isinstance(value, bool) else str(value)
