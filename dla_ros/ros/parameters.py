"""The parameters of the detector node, read back as its settings."""

from collections.abc import Iterable, Mapping
from typing import Any

from dla_ros.config import DetectorConfig, settings
from dla_ros.setting import When
from rclpy.node import Node
from rclpy.parameter import Parameter


def read(node: Node) -> DetectorConfig:
    """Read all settings; raise ConfigError for the first that is out of its bounds."""
    values = {name: node.get_parameter(name).value for name in settings()}
    return DetectorConfig.of(values)


def live_values(changes: Iterable[Parameter]) -> Mapping[str, Any]:
    """Give those changes that take effect at once."""
    table = settings()
    return {
        change.name: change.value
        for change in changes
        if change.name in table and table[change.name].when is When.LIVE
    }
