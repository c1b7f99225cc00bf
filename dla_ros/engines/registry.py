"""Engines that other packages bring, found by name or by the file that they run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dla_ros.config import DetectorConfig, ENGINES
from dla_ros.devices.protocol import Device
from dla_ros.engines.protocol import Engine, EngineType
from dla_ros.entry_points import brought, load, package_of
from dla_ros.errors import ConfigError, DlaRosError, EngineError

_CONTRACT = 'dla_ros.engines.protocol'
_OF_TYPE = ('runs', 'devices', 'open')
_OF_ENGINE = (
    'backend', 'placement', 'is_emulated', 'inputs', 'outputs', 'bind', 'submit', 'last_error',
    'close',
)  # fmt: skip


class BroughtEngine:
    """Stand before an engine type of another package, so that what it raises names it."""

    def __init__(self, name: str) -> None:
        """Import it; raise EngineError where that fails."""
        point = brought(ENGINES)[name]
        self.name = f"engine '{name}' of {package_of(point)}"
        self._type: type[EngineType] = load(point, 'engine', _OF_TYPE, EngineError, _CONTRACT)

    def runs(self, path: Path, head: bytes) -> bool:
        """Ask it."""
        try:
            return bool(self._type.runs(path, head))
        except Exception as error:
            raise self._told(path, error) from error

    def devices(self, config: DetectorConfig) -> tuple[str, ...]:
        """Ask it."""
        return tuple(self._type.devices(config))

    def open(
        self,
        path: Path,
        device: Device,
        config: DetectorConfig,
        *,
        options: Mapping[str, Any],
        scales: Mapping[str, float],
    ) -> Engine:
        """Open it and look whether it is an engine."""
        try:
            engine = self._type.open(path, device, config, options=options, scales=scales)
        except DlaRosError:
            raise
        except Exception as error:
            raise self._told(path, error) from error
        missing = [each for each in _OF_ENGINE if not hasattr(engine, each)]
        if missing:
            raise EngineError(
                f'{self.name} opened no engine: it lacks {", ".join(missing)} (see {_CONTRACT})'
            )
        return engine

    def _told(self, path: Path, error: Exception) -> EngineError:
        return EngineError(f"{self.name} fails on '{path}': {type(error).__name__}: {error}")


def find_by_file(path: Path, head: bytes) -> str | None:
    """
    Return the name of the engine of another package that runs a file, None where none does.

    Raise ConfigError where several do, EngineError where one cannot be loaded.
    """
    found = [name for name in sorted(brought(ENGINES)) if BroughtEngine(name).runs(path, head)]
    if len(found) > 1:
        raise ConfigError(
            f"engines {' and '.join(found)} both run '{path}'; set backend to one of them"
        )
    return found[0] if found else None
