"""What a deployment record and the settings say together about a network."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dla_ros.config import DetectorConfig
from dla_ros.errors import ConfigError, RecordError
from dla_ros.heads.labels import read_labels
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.record.record import DeploymentRecord


@dataclass(frozen=True)
class Plan:
    """
    Hold how a network is fed and read; what a setting does not say comes from the record.

    ``scales`` are the int8 steps of the tensors, by name: a loadable carries none. ``warnings``
    say how this machine differs from the recorded one.
    """

    head: str
    head_options: Mapping[str, Any]
    labels: tuple[str, ...]
    preprocessing: Preprocessing
    scales: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: DetectorConfig, content: bytes | None = None) -> 'Plan':
        """
        Read the record beside the engine and lay the settings over it.

        ``content`` is what was read of the engine file, where it is what will run.
        Raise RecordError for a broken record or one that does not fit the engine file, ConfigError
        where neither says which head reads the network.
        """
        engine = Path(config.engine_file_path)
        record = DeploymentRecord.beside(engine)
        known = record or DeploymentRecord()
        known.check_artifact(engine, content)
        return cls(
            head=_head(config, known),
            head_options=_head_options(config, known),
            labels=_labels(config, known),
            preprocessing=_preprocessing(config, known),
            scales=known.scales,
            warnings=_platform_warnings(config, known),
        )


def _head(config: DetectorConfig, record: DeploymentRecord) -> str:
    head = config.head or (record.head.name if record.head else '')
    if not head:
        engine = config.engine_file_path
        raise ConfigError(
            f"nothing says how to read the outputs of '{engine}': set the parameter head "
            f'(nanodet, yolox, ...), or write a record {engine}.yaml'
        )
    return head


def _head_options(config: DetectorConfig, record: DeploymentRecord) -> Mapping[str, Any]:
    """Give the recorded options, unless the settings name another head: they are not its own."""
    if record.head is None or config.head not in {'', record.head.name}:
        return {}
    return record.head.options


def _platform_warnings(config: DetectorConfig, record: DeploymentRecord) -> tuple[str, ...]:
    differences = tuple(record.check_platform())
    if differences and config.record_policy == 'strict':
        raise RecordError(
            f"record_policy is strict, and '{config.engine_file_path}' was made elsewhere: "
            f'{"; ".join(differences)}; build it on this machine, or set record_policy: warn'
        )
    return differences


def _labels(config: DetectorConfig, record: DeploymentRecord) -> tuple[str, ...]:
    if config.label_list and config.label_path:
        raise ConfigError('label_list and label_path are both set; set one of them')
    if config.label_path:
        return read_labels(Path(config.label_path))
    return config.label_list or record.labels


def _preprocessing(config: DetectorConfig, record: DeploymentRecord) -> Preprocessing:
    base = record.preprocessing or Preprocessing()
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
