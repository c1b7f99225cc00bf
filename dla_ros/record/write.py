"""Writing a deployment record as YAML that a person would have written."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, TYPE_CHECKING

from dla_ros.errors import RecordError
from dla_ros.files.regular_file import write_regular
from dla_ros.files.yaml_file import to_yaml, YamlError

if TYPE_CHECKING:
    from dla_ros.record.record import DeploymentRecord

LINE = 99


def write(record: 'DeploymentRecord', path: Path) -> None:
    """Write what is known; raise RecordError if the file or a value cannot be written."""
    try:
        text = to_yaml(_plain(record), LINE)
        write_regular(path, text.encode())
    except OSError as error:
        raise RecordError(
            f"cannot write the record '{path}': {error.strerror or error}"
        ) from error
    except YamlError as error:
        raise RecordError(f"cannot write the record '{path}': {error}") from error


def _plain(value: Any) -> Any:
    """Turn dataclasses into mappings, tuples into lists; leave out what nobody wrote down."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        value = {item.name: getattr(value, item.name) for item in fields(value)}
        return {key: _plain(each) for key, each in value.items() if not _is_unknown(each)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _is_unknown(value: Any) -> bool:
    """Tell what may be left out: None, nothing in it, or a section without a known field."""
    if is_dataclass(value):
        return all(_is_unknown(getattr(value, item.name)) for item in fields(value))
    return value is None or (isinstance(value, (str, list, tuple, Mapping)) and not value)
