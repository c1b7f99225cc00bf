"""The engines of this package, as the opener sees engines."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dla_ros.config import DetectorConfig
from dla_ros.detector.json_options import read_json_object
from dla_ros.devices.protocol import Device
from dla_ros.emulator import EmulatorOptions, start
from dla_ros.engines.cudla.engine import CudlaEngine
from dla_ros.engines.onnx import OnnxEngine
from dla_ros.engines.protocol import Engine
from dla_ros.errors import ConfigError
from dla_ros.loadable.file_kind import FileKind

_OPTIONS = 'onnx_provider_options'
_WANTED = 'a JSON object of objects, as {"TensorrtExecutionProvider": {"trt_dla_enable": "1"}}'


class CudlaType:
    """Run DLA loadables, on hardware or emulated: which, is decided here alone."""

    @classmethod
    def runs(cls, path: Path, head: bytes) -> bool:
        """Tell by the identifier of the file."""
        return FileKind.of(head) is FileKind.LOADABLE

    @classmethod
    def devices(cls, config: DetectorConfig) -> tuple[str, ...]:
        """Name the GPU first where a real DLA works on its memory."""
        return ('cuda', 'host') if config.dla_device == 'hardware' else ('host', 'cuda')

    @classmethod
    def open(
        cls,
        path: Path,
        device: Device,
        config: DetectorConfig,
        *,
        options: Mapping[str, Any],
        scales: Mapping[str, float],
        content: bytes | None = None,
    ) -> Engine:
        """Start the emulator if it is asked for, and open the engine."""
        is_emulated = config.dla_device == 'emulator'
        if is_emulated:
            _start_emulator(device, config)
        return CudlaEngine.open(
            path,
            device,
            dla_core=config.dla_core,
            is_emulated=is_emulated,
            scales=scales,
            task_timeout_ms=config.task_timeout_ms,
            content=content,
        )


class OnnxType:
    """Run ONNX models in ONNX Runtime."""

    @classmethod
    def runs(cls, path: Path, head: bytes) -> bool:
        """Tell by the first bytes of the file."""
        return FileKind.of(head) is FileKind.ONNX

    @classmethod
    def devices(cls, config: DetectorConfig) -> tuple[str, ...]:
        """Name the CPU: ONNX Runtime takes and leaves its tensors there."""
        return ('host',)

    @classmethod
    def open(
        cls,
        path: Path,
        device: Device,
        config: DetectorConfig,
        *,
        options: Mapping[str, Any],
        scales: Mapping[str, float],
        content: bytes | None = None,
    ) -> Engine:
        """Open the engine on the providers asked for."""
        return OnnxEngine.open(
            path,
            device,
            providers=config.onnx_providers,
            provider_options=_provider_options(config.onnx_provider_options),
            threads=config.onnx_threads or None,
            scales=scales,
            content=content,
        )


BUILT_IN: MappingProxyType[str, type[CudlaType] | type[OnnxType]] = MappingProxyType(
    {'cudla': CudlaType, 'onnx': OnnxType}
)


def _start_emulator(device: Device, config: DetectorConfig) -> None:
    if device.name == 'cuda':
        # CUDA's package is needed only where there is a GPU.
        from dla_ros.emulator.cuda_adapter import open_cuda_adapter

        open_cuda_adapter()
    text = config.dla_emulator_options
    options = EmulatorOptions.parse(text) if text else EmulatorOptions.from_environment()
    start(replace(options, threads=options.threads or config.onnx_threads))


def _provider_options(text: str) -> dict[str, dict[str, str]]:
    """Read a JSON object: provider name to an object of its options."""
    found = read_json_object(_OPTIONS, text, _WANTED)
    if not all(isinstance(each, dict) for each in found.values()):
        raise ConfigError(f'{_OPTIONS} must be {_WANTED}, not {text!r}')
    return {name: {key: _to_text(each) for key, each in options.items()}
            for name, options in found.items()}  # fmt: skip


def _to_text(value: Any) -> str:
    """Write a JSON value as ONNX Runtime wants options: text, booleans as 1 and 0."""
    return str(int(value)) if isinstance(value, bool) else str(value)
