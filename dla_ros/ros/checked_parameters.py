"""A node that answers a wrong value of a parameter with a sentence, and lives on."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from dla_ros.errors import ConfigError
from dla_ros.ros.rows import (
    check_change,
    declare_row,
    is_same,
    QOS_OVERRIDES,
    typed,
    value_at_start,
)
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
        changes = [each for each in changes if not self._is_said_again(each)]
        if not changes:
            return SetParametersResult(successful=True)
        return super().set_parameters_atomically(changes)

    def _check(self, change: Parameter) -> None:
        if not self.has_parameter(change.name):
            return
        row, old = self._row(change.name), self.get_parameter_or(change.name)
        if row is not None:
            check_change(change.name, row, change, old, self.is_configured)
        elif change.name.startswith(QOS_OVERRIDES) and not is_same(change, old):
            raise ConfigError(f'{change.name} may change at start only; start the node again')

    def _is_said_again(self, change: Parameter) -> bool:
        """Return whether rclpy would refuse a parameter as read-only that stays as it is."""
        if not self.has_parameter(change.name):
            return False
        is_fixed = self.describe_parameter(change.name).read_only
        return is_fixed and is_same(change, self.get_parameter(change.name))

    def _row(self, name: str) -> Setting | None:
        return self.rows.get(name) or _OF_RCLPY.get(name)

    def _note(self, name: str, fault: str) -> None:
        if fault:
            self.faults[name] = fault

    def _forgive(self, changes: Sequence[Parameter]) -> None:
        for change in changes:
            self.faults.pop(change.name, None)
