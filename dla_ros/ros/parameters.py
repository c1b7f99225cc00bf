"""The parameter table as ROS parameters: declare them, watch changes, read them."""

from collections.abc import Iterable, Mapping
from typing import Any

from dla_ros.config import DetectorConfig, settings
from dla_ros.errors import ConfigError
from dla_ros.setting import Setting, When
from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

_SCALAR = {
    str: Parameter.Type.STRING,
    bool: Parameter.Type.BOOL,
    int: Parameter.Type.INTEGER,
    float: Parameter.Type.DOUBLE,
}
_LIST = {
    str: Parameter.Type.STRING_ARRAY,
    int: Parameter.Type.INTEGER_ARRAY,
    float: Parameter.Type.DOUBLE_ARRAY,
}


def to_descriptor(name: str, row: Setting) -> ParameterDescriptor:
    """Describe one row for ``ros2 param describe``."""
    kind = _LIST[row.kind] if row.is_list else _SCALAR[row.kind]
    found = ParameterDescriptor(name=name, type=kind.value, description=row.meaning)
    found.additional_constraints = f'{row.words()}; may change {row.when.value}'
    found.read_only = row.when is When.START
    # threshold:=1 is an int to the command line; a number is a number (rclcpp issue 1009)
    found.dynamic_typing = row.kind is float and not row.is_list
    if row.low is not None and row.high is not None and not row.is_list:
        if row.kind is float:
            found.floating_point_range = [
                FloatingPointRange(from_value=row.low, to_value=row.high)
            ]
        else:
            found.integer_range = [IntegerRange(from_value=row.low, to_value=row.high, step=1)]
    return found


def declare(node: Node) -> dict[str, str]:
    """
    Declare every setting; give what is wrong with the values at start, name to sentence.

    A wrong value must not kill the process before a word is said: the default stands in for it,
    and configure is refused until the parameter is set.
    """
    faults = {}
    for name, row in settings().items():
        descriptor, default = to_descriptor(name, row), _to_ros(row, row.default)
        try:
            node.declare_parameter(name, default, descriptor)
            row.check(name, _value(node, name, row))
        except (InvalidParameterTypeException, InvalidParameterValueException) as err:
            faults[name] = f'{err}; it must be {row.words()}{_again(row)}'
            node.declare_parameter(name, default, descriptor, ignore_override=True)
            _value(node, name, row)
        except ConfigError as err:
            faults[name] = f'{err}{_again(row)}'
    return faults


def _again(row: Setting) -> str:
    return '; start the node again with it' if row.when is When.START else ''


def read(node: Node) -> DetectorConfig:
    """Read all settings; raise ConfigError for the first that is out of its bounds."""
    values = {name: node.get_parameter(name).value for name in settings()}
    return DetectorConfig.of(values)


def refuse_changes(changes: Iterable[Parameter], *, is_configured: bool) -> SetParametersResult:
    """Check changed parameters against the table; say the first reason to refuse them."""
    try:
        for change in changes:
            _check_change(change, is_configured)
    except ConfigError as err:
        return SetParametersResult(successful=False, reason=str(err))
    return SetParametersResult(successful=True)


def live_values(changes: Iterable[Parameter]) -> Mapping[str, Any]:
    """Give those changes that take effect at once."""
    table = settings()
    return {
        change.name: change.value
        for change in changes
        if change.name in table and table[change.name].when is When.LIVE
    }


def _check_change(change: Parameter, is_configured: bool) -> None:
    row = settings().get(change.name)
    if row is None:
        return
    row.check(change.name, change.value)
    if is_configured and row.when is When.UNCONFIGURED:
        raise ConfigError(
            f'{change.name} cannot change while the node is configured; '
            'first: ros2 lifecycle set NODE cleanup (deactivate it before)'
        )


def _value(node: Node, name: str, row: Setting) -> Any:
    """Give the value just declared; an empty list carries no type, so rclpy has not set it."""
    if row.is_list and node.get_parameter_or(name).value is None:
        node.set_parameters([Parameter(name, _LIST[row.kind], [])])
    return node.get_parameter(name).value


def _to_ros(row: Setting, value: Any) -> Any:
    """Give a default, or the bare type where an empty list would be taken for bytes."""
    if row.is_list:
        return list(value) or _LIST[row.kind]
    return value
