"""What ``qos_overrides.TOPIC.subscription.depth`` and its like say about a topic."""

from dataclasses import replace
from typing import Any

from dla_ros.errors import ConfigError
from dla_ros.ros.rows import overrides_of, QOS_OVERRIDES, to_descriptor, value_of
from dla_ros.setting import Setting
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy

_ENUMS = {'history': HistoryPolicy, 'reliability': ReliabilityPolicy}
ROWS = {
    'history': Setting(
        'What is kept of a topic.', str, False, 'keep_last',
        choices=('keep_last', 'keep_all', 'system_default'),
    ),
    'depth': Setting(
        'Queue depth of a topic.', int, False, 1, low=1, high=1_000_000
    ),
    'reliability': Setting(
        'Whether messages are sent again.', str, False, 'reliable',
        choices=('reliable', 'best_effort', 'system_default', 'best_available'),
    ),
}  # fmt: skip


class QosOverrides:
    """
    Apply the overrides of one publisher or subscription of a node, and show them as parameters.

    rclpy has the same (``qos_overriding_options``), but raises for a wrong value when the
    publisher is created, which for a subscription is at activate. And it keeps the values of the
    first time for ever: another ``input_qos`` would count for nothing.
    """

    def __init__(self, node: Node, entity: str, topic: str) -> None:
        """``entity`` is publisher or subscription, ``topic`` the name of it, not yet resolved."""
        self._node = node
        self._prefix = f'{QOS_OVERRIDES}{node.resolve_topic_name(topic)}.{entity}.'
        self._declared: list[str] = []

    @property
    def names(self) -> list[str]:
        """Return the names of the parameters."""
        return [self._prefix + policy for policy in ROWS]

    def apply(self, profile: QoSProfile) -> QoSProfile:
        """Return the profile with what is overridden; call :meth:`check` before."""
        for policy, row in ROWS.items():
            usual = _word(getattr(profile, policy))
            value = self._declare(self._prefix + policy, replace(row, default=usual))
            setattr(profile, policy, _policy(policy, value))
        return profile

    def check(self) -> None:
        """Raise ConfigError, naming the parameter, for an override that cannot be."""
        for policy, row in ROWS.items():
            fault = self._value(self._prefix + policy, row)[1]
            if fault:
                raise ConfigError(fault)

    def close(self) -> None:
        """Take the parameters away again."""
        while self._declared:
            self._node.undeclare_parameter(self._declared.pop())

    def _declare(self, name: str, row: Setting) -> Any:
        value, _ = self._value(name, row)
        self._node.declare_parameter(name, value, to_descriptor(name, row), ignore_override=True)
        self._declared.append(name)
        return value

    def _value(self, name: str, row: Setting) -> tuple[Any, str]:
        given = overrides_of(self._node).get(name)
        if given is not None and isinstance(given.value, str):
            given = Parameter(name, value=given.value.lower())  # rclpy takes RELIABLE as well
        return value_of(given, name, row)


def _word(value: Any) -> Any:
    return value.name.lower() if hasattr(value, 'name') else value


def _policy(policy: str, value: Any) -> Any:
    return _ENUMS[policy][value.upper()] if policy in _ENUMS else value
