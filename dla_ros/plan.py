"""What a deployment record and the settings say together about a network."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Optional

from dla_ros.config import DetectorConfig
from dla_ros.errors import ConfigError
from dla_ros.heads.labels import read_labels
from dla_ros.preprocessing import Padding, Preprocessing
from dla_ros.record.record import DeploymentRecord, record_path


@dataclass(frozen=True)
class Plan:
    """
    Hold how a network is fed and read; what a setting does not say comes from the record.

    ``scales`` are the int8 steps of the tensors, by name: a loadable carries none.
    """

    head: str
    head_options: Mapping[str, Any]
    labels: tuple[str, ...]
    preprocessing: Preprocessing
    scales: Mapping[str, float] = field(default_factory=dict)
    record: Optional[DeploymentRecord] = None

    @classmethod
    def of(cls, config: DetectorConfig) -> 'Plan':
        """
        Read the record beside the engine and lay the settings over it.

        Raise RecordError for a broken record or one that does not fit the engine file, ConfigError
        where neither says which head reads the network.
        """
        record = find_record(Path(config.engine_file_path))
        head = config.head or (record.head.name if record else '')
        if not head:
            raise ConfigError(
                f"nothing says how to read the outputs of '{config.engine_file_path}': set the "
                f'parameter head (nanodet, yolox, ...), or write {config.engine_file_path}.yaml'
            )
        return cls(
            head=head,
            head_options=record.head.options if record else {},
            labels=_labels(config, record),
            preprocessing=_preprocessing(config, record),
            scales=_scales(record),
            record=record,
        )


def find_record(engine: Path) -> Optional[DeploymentRecord]:
    """Read and check the record beside an engine file; None where there is none."""
    path = record_path(engine)
    if not path.exists():
        return None
    record = DeploymentRecord.read(path)
    record.check_artifact(engine)
    return record


def _labels(config: DetectorConfig, record: Optional[DeploymentRecord]) -> tuple[str, ...]:
    if config.label_list and config.label_path:
        raise ConfigError('label_list and label_path are both set; set one of them')
    if config.label_path:
        return read_labels(Path(config.label_path))
    return config.label_list or (record.labels if record else ())


def _preprocessing(config: DetectorConfig, record: Optional[DeploymentRecord]) -> Preprocessing:
    recorded = record.preprocessing if record else None
    base = recorded or Preprocessing()
    changes: dict[str, Any] = {}
    if config.network_encoding:
        changes['encoding'] = config.network_encoding
    if config.image_mean:
        changes['mean'] = config.image_mean
    if config.image_stddev:
        changes['std'] = config.image_stddev
    if config.padding_type:
        changes['padding'] = Padding(config.padding_type)
    if config.padding_value >= 0:
        changes['padding_value'] = config.padding_value
    return replace(base, **changes)


def _scales(record: Optional[DeploymentRecord]) -> dict[str, float]:
    if record is None:
        return {}
    ports = {**record.io.inputs, **record.io.outputs}
    return {name: port.scale for name, port in ports.items() if port.scale is not None}
