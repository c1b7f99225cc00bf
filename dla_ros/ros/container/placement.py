"""What a load request asks for beside the class: names, remaps, parameters, log level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from composition_interfaces.srv import LoadNode
from dla_ros.errors import ComponentError
from rclpy.exceptions import ParameterException
from rclpy.logging import LoggingSeverity
from rclpy.parameter import Parameter

_NO_INTRA_PROCESS = (
    'use_intra_process_comms is ignored: it belongs to rclcpp; Python nodes of one container hand '
    'images over with dla_ros.ros.handover (docs/composition.md)'
)


@dataclass(frozen=True)
class Placement:
    """
    Hold how a node is to be created.

    ``rules`` are its own remap rules, the first that fits counts. ``overrides`` are parameters,
    ``log_level`` a severity of rclpy (UNSET: as it is), ``is_global`` whether the container's own
    arguments hold for it too, ``launch_id`` the launch whose container is meant ('': any),
    ``remarks`` what was asked for and is not done.
    """

    rules: tuple[str, ...] = ()
    overrides: tuple[Parameter, ...] = ()
    log_level: LoggingSeverity = LoggingSeverity.UNSET
    is_global: bool = False
    launch_id: str = ''
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: LoadNode.Request) -> 'Placement':
        """Read a request; raise ComponentError for a value that cannot be."""
        extra = {each.name: each for each in _to_parameters(request.extra_arguments)}
        return cls(
            rules=tuple(_rules(request)),
            overrides=tuple(_to_parameters(request.parameters)),
            log_level=_log_level(request.log_level),
            is_global=_is_global(extra),
            launch_id=str(extra['launch_id'].value) if 'launch_id' in extra else '',
            remarks=tuple(_remarks(extra)),
        )

    def full_name(self, name: str, namespace: str) -> str:
        """Give the full name that a node gets whose constructor asks for these two."""
        name = self._renamed('__node') or name
        namespace = self._renamed('__ns') or namespace
        return f'/{namespace.strip("/")}/{name}' if namespace.strip('/') else f'/{name}'

    def options(self, given: dict[str, Any]) -> dict[str, Any]:
        """Lay this over the keyword arguments that the class itself gives rclpy's Node."""
        own = ['--ros-args', *(word for rule in self.rules for word in ('-r', rule)), '--']
        return {
            **given,
            'cli_args': [*own, *(given.get('cli_args') or [])],
            'parameter_overrides': [*(given.get('parameter_overrides') or []), *self.overrides],
            'use_global_arguments': self.is_global,
        }

    def _renamed(self, what: str) -> str:
        return next((rule.partition(':=')[2] for rule in self.rules if rule.startswith(what)), '')


def _rules(request: LoadNode.Request) -> list[str]:
    rules = [f'__node:={request.node_name}'] if request.node_name else []
    rules += [f'__ns:={request.node_namespace}'] if request.node_namespace else []
    for rule in request.remap_rules:
        if ':=' not in rule:
            raise ComponentError(
                f"remap rule '{rule}' is not FROM:=TO, as image:=camera/image_raw"
            )
        rules.append(rule)
    return rules


def _to_parameters(messages: Sequence[Any]) -> list[Parameter]:
    try:
        return [Parameter.from_parameter_msg(each) for each in messages]
    except (ParameterException, ValueError, TypeError) as err:
        raise ComponentError(f'a parameter cannot be read: {err}') from err


def _log_level(number: int) -> LoggingSeverity:
    try:
        return LoggingSeverity(number)
    except ValueError as err:
        names = ', '.join(f'{level.value} {level.name}' for level in LoggingSeverity)
        raise ComponentError(f'log_level {number} is none of: {names}') from err


def _is_global(extra: dict[str, Parameter]) -> bool:
    """Read rclcpp's ``forward_global_arguments``; as there, off unless asked for."""
    asked = extra.get('forward_global_arguments')
    return asked is not None and asked.value is True


def _remarks(extra: dict[str, Parameter]) -> list[str]:
    found = []
    for name, parameter in extra.items():
        if name == 'use_intra_process_comms':
            found += [_NO_INTRA_PROCESS] * bool(parameter.value)
        elif name not in {'forward_global_arguments', 'launch_id'}:
            found.append(f"extra argument '{name}' is not known here, and ignored")
    return found
