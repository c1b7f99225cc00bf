"""Read and set the parameters of a node elsewhere, in turns (turns.py)."""

from collections.abc import Sequence
from typing import Any

from dla_ros.errors import DlaRosError
from dla_ros.ros.turns import ask, insist, Turns
from rcl_interfaces.srv import GetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter, parameter_value_to_python

_PATIENCE_S = 5.0


class ParameterClient:
    """Hold the clients of one node; ``target`` is its name with its namespace."""

    def __init__(self, node: Node, target: str) -> None:
        """Create the clients."""
        self._target = target
        self._get = node.create_client(GetParameters, f'{target}/get_parameters')
        self._set = node.create_client(
            SetParametersAtomically, f'{target}/set_parameters_atomically'
        )

    def getting(self, names: Sequence[str]) -> Turns[dict[str, Any]]:
        """Return the values by name, None for one that the node has not."""
        request = GetParameters.Request(names=list(names))
        answer = yield from insist(self._get, request, _PATIENCE_S)
        if answer is None:
            raise self._silence()
        values = answer.values or [None] * len(names)  # rclcpp answers nothing at all then
        return {
            name: None if value is None else parameter_value_to_python(value)
            for name, value in zip(names, values, strict=True)
        }

    def setting(self, parameters: Sequence[Parameter]) -> Turns[None]:
        """Set all or none; raise DlaRosError with the node's own reason if it refuses."""
        messages = [each.to_parameter_msg() for each in parameters]
        request = SetParametersAtomically.Request(parameters=messages)
        answer = yield from ask(self._set, request, _PATIENCE_S)
        if answer is None:
            raise self._silence()
        if not answer.result.successful:
            raise DlaRosError(f"'{self._target}' refused a parameter: {answer.result.reason}")

    def _silence(self) -> DlaRosError:
        return DlaRosError(f"'{self._target}' did not answer within {_PATIENCE_S:g} s")
