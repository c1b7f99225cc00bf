"""A node that answers a wrong value of a parameter with a sentence, and lives on."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from dla_ros.errors import ConfigError
from dla_ros.ros.rows import (
    cannot_change,
    check_change,
    declare_row,
    is_same,
    overrides_of,
    QOS_OVERRIDES,
    typed,
    value_at_start,
)
from dla_ros.ros.unknown_parameters import unknown
from dla_ros.setting import Setting, When
from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

# those that rclpy declares, and would raise for while the node is built
_OF_RCLPY = {
    'use_sim_time': Setting('Take the time from /clock.', bool, False, False, when=When.LIVE),
    'start_type_description_service': Setting(
        'Offer ~/get_type_description.', bool, False, True, when=When.START
    ),
}


class CheckedParameters(Node):
    """
    Declare the parameters of a table, ``rows``, and check every change against it.

    ``faults`` holds what is wrong with values at start, name to sentence: the default stands in
    for such a value until another is set. Put it before the class of rclpy that a node inherits.
    """

    rows: ClassVar[Mapping[str, Setting]] = {}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Create the node and declare its table."""
        self.faults: dict[str, str] = {}
        super().__init__(*arguments, **options)
        for name, row in self.rows.items():
            self._note(name, declare_row(self, name, row))
        self.add_post_set_parameters_callback(self._forgive)

    @property
    def is_configured(self) -> bool:
        """Return whether parameters that are read by configure are in use."""
        return False

    def declare_parameter(self, name: str, *words: Any, **options: Any) -> Parameter:
        """Declare a parameter; a wrong value for one of rclpy's own is a fault, no exception."""
        row = _OF_RCLPY.get(name)
        if row is not None and name not in self.rows:
            value, fault = value_at_start(self, name, row)
            self._note(name, fault)
            words, options = (value, *words[1:]), {**options, 'ignore_override': True}
        return super().declare_parameter(name, *words, **options)

    def set_parameters(self, parameter_list: Sequence[Parameter]) -> list[SetParametersResult]:
        """Set parameters one by one, each as in :meth:`set_parameters_atomically`."""
        return [self.set_parameters_atomically([each]) for each in parameter_list]

    def set_parameters_atomically(
        self, parameter_list: Sequence[Parameter]
    ) -> SetParametersResult:
        """
        Set all parameters, or none and say why.

        What is as it was may be said again at any time, as ``ros2 param load`` does with the
        whole dump of a node.
        """
        changes = [typed(each, self._row(each.name)) for each in parameter_list]
        try:
            for change in changes:
                self._check(change)
        except ConfigError as err:
            return SetParametersResult(successful=False, reason=str(err))
        later = [each for each in changes if self._is_for_later(each.name)]
        now = [each for each in changes if each not in later and not self._is_said_again(each)]
        result = SetParametersResult(successful=True)
        if now:
            result = super().set_parameters_atomically(now)
        if result.successful:
            # overrides of QoS, which become parameters when configure reads them
            overrides_of(self).update({each.name: each for each in later})
        return result

    def _check(self, change: Parameter) -> None:
        name, row = change.name, self._row(change.name)
        if name.startswith(QOS_OVERRIDES):
            if self.is_configured and not is_same(change, self.get_parameter_or(name)):
                raise ConfigError(cannot_change(name))
        elif not self.has_parameter(name):
            if not self._allow_undeclared_parameters:
                raise ConfigError(unknown([name], self.list_parameters([], 0).names)[0])
        elif row is not None:
            check_change(name, row, change, self.get_parameter_or(name), self.is_configured)

    def _is_for_later(self, name: str) -> bool:
        return name.startswith(QOS_OVERRIDES) and not self.has_parameter(name)

    def _is_said_again(self, change: Parameter) -> bool:
        """Return whether rclpy would refuse a parameter as read-only that stays as it is."""
        if not self.has_parameter(change.name):
            return False
        is_fixed = self.describe_parameter(change.name).read_only
        return is_fixed and is_same(change, self.get_parameter_or(change.name))

    def _row(self, name: str) -> Setting | None:
        return self.rows.get(name) or _OF_RCLPY.get(name)

    def _note(self, name: str, fault: str) -> None:
        if fault:
            self.faults[name] = fault

    def _forgive(self, changes: Sequence[Parameter]) -> None:
        for change in changes:
            self.faults.pop(change.name, None)
