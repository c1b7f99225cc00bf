"""What a detector runs on while its own engine does not answer, if the robot file says so."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
import json
from typing import Any

from dla_ros.errors import ConfigError, RobotError
from dla_ros.files.json_text import parse_json
from dla_ros.setting import Setting

RETRY_S = Setting('', float, False, 60.0, low=1.0, high=86_400.0)
# What says which engine runs, and where; all else of a detector stays as it is.
PARAMETERS = (
    'engine_file_path', 'backend', 'device', 'dla_core', 'dla_device', 'dla_emulator_options',
    'engine_options', 'onnx_providers', 'onnx_provider_options', 'onnx_threads',
    'task_timeout_ms', 'record_policy',
)  # fmt: skip


@dataclass(frozen=True)
class FallbackEngine:
    """
    Hold the ``parameters`` that are set in place of the detector's own, checked.

    Every ``retry_s`` seconds the detector's own engine is tried again; detection stops meanwhile.
    """

    parameters: Mapping[str, Any] = field(default_factory=dict)
    retry_s: float = 60.0

    def to_json(self) -> str:
        """Return it as a word of a command line."""
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> 'FallbackEngine':
        """Read what ``to_json`` made; raise RobotError for anything else."""
        try:
            data = parse_json(text)
            parameters = dict(data['parameters'])
            retry_s = RETRY_S.check('retry_s', data['retry_s'])
        except (ValueError, TypeError, KeyError, ConfigError) as err:
            raise RobotError(f'a fallback engine is JSON as a launch writes it: {err}') from err
        return cls(parameters, retry_s)

    def __str__(self) -> str:
        """Name it for the log."""
        return ', '.join(f'{name} {value}' for name, value in self.parameters.items())
