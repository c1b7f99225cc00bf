"""Settings that are JSON objects."""

from typing import Any

from dla_ros.errors import ConfigError
from dla_ros.files.json_text import parse_json


def read_json_object(
    name: str, text: str, wanted: str = 'a JSON object, as {"key": "value"}'
) -> dict[str, Any]:
    """Return the object that a setting holds, '' being an empty one; raise ConfigError else."""
    try:
        found: Any = parse_json(text) if text else {}
    except ValueError as error:
        raise ConfigError(f'{name} is not JSON: {error}: {text!r}') from error
    if not isinstance(found, dict):
        raise ConfigError(f'{name} must be {wanted}, not {text!r}')
    return found
