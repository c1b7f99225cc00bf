"""Rows of a parameter table as ROS parameters: declared, and checked at every change."""

from collections.abc import Sequence
from typing import Any

from dla_ros.errors import ConfigError
from dla_ros.setting import Setting, When
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter

QOS_OVERRIDES = 'qos_overrides.'  # what parameters for the QoS of a topic begin with
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
    found = ParameterDescriptor(name=name, type=_type(row).value, description=row.meaning)
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


def declare_row(node: Node, name: str, row: Setting) -> str:
    """
    Declare one parameter; return what is wrong with its value at start, '' if nothing is.

    The default stands in for a wrong value. rclpy would raise for most of them, and that before
    a word could be said.
    """
    value, fault = value_at_start(node, name, row)
    descriptor = to_descriptor(name, row)
    if value or not row.is_list:
        node.declare_parameter(name, value, descriptor, ignore_override=True)
    else:
        # an empty list would be declared as one of bytes
        node.declare_parameter(name, _type(row), descriptor, ignore_override=True)
        node.set_parameters([Parameter(name, _type(row), [])])
    return fault


def value_at_start(node: Node, name: str, row: Setting) -> tuple[Any, str]:
    """Return the value that a parameter starts with, and what is wrong with the one given."""
    return value_of(overrides_of(node).get(name), name, row)


def overrides_of(node: Node) -> dict[str, Parameter]:
    """Return what the command line, files and constructor give, declared or not."""
    found: dict[str, Parameter] = node._parameter_overrides
    return found


def value_of(given: Parameter | None, name: str, row: Setting) -> tuple[Any, str]:
    """Return the value of a parameter given at start, and what is wrong with it."""
    if given is None:
        return _plain(row.default), ''
    try:
        return _plain(row.check(name, typed(given, row).value)), ''
    except ConfigError as err:
        return _plain(row.default), f'{err}{again(row)}'


def typed(parameter: Parameter, row: Setting | None) -> Parameter:
    """
    Return a parameter with the type that its row wants, where nothing else can be meant.

    ``[]`` says no type: files and the command line give NOT_SET for it, ``ros2 param set`` an
    array of bool, other clients one of bytes. And [1, 2] is a list of numbers.
    """
    if row is None or not row.is_list:
        return parameter
    if is_empty(parameter):
        return Parameter(parameter.name, _type(row), [])
    if row.kind is float and parameter.type_ is Parameter.Type.INTEGER_ARRAY:
        numbers = [float(number) for number in parameter.value]
        return Parameter(parameter.name, _type(row), numbers)
    return parameter


def is_empty(parameter: Parameter) -> bool:
    """Return whether a parameter is what becomes of an empty list."""
    value = parameter.value
    return value is None or (not isinstance(value, str) and _is_list(value) and len(value) == 0)


def is_same(parameter: Parameter, other: Parameter) -> bool:
    """Return whether two parameters have one value; 1 and 1.0 are the same number."""
    values = [each.value for each in (parameter, other)]
    if any(isinstance(value, bool) for value in values):
        return values[0] is values[1]
    if all(_is_list(value) for value in values):
        return list(values[0]) == list(values[1])
    return bool(values[0] == values[1])


def check_change(
    name: str, row: Setting, new: Parameter, old: Parameter, is_configured: bool
) -> None:
    """Raise ConfigError for a change that cannot be; what is as it was may be said again."""
    row.check(name, new.value)
    if is_same(new, old):
        return
    if row.when is When.START:
        raise ConfigError(f'{name} may change {row.when.value}{again(row)}')
    if is_configured and row.when is When.UNCONFIGURED:
        raise ConfigError(cannot_change(name))


def cannot_change(name: str) -> str:
    """Say that a parameter is in use, and what to do."""
    return (
        f'{name} cannot change while the node is configured; '
        'first: ros2 lifecycle set NODE cleanup (deactivate it before)'
    )


def again(row: Setting) -> str:
    """Return what to do about a value that is read at start only."""
    return '; start the node again with it' if row.when is When.START else ''


def _type(row: Setting) -> Parameter.Type:
    return _LIST[row.kind] if row.is_list else _SCALAR[row.kind]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) or hasattr(value, 'tolist')
