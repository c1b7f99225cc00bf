"""Creating a node of any class as a load request wants it."""

from collections.abc import Callable
import inspect
from typing import Any

from dla_ros.errors import ComponentError
from dla_ros.ros.container.placement import Placement
from dla_ros.ros.polled_events import PolledEvents
from rclpy.lifecycle import LifecycleNode
from rclpy.logging import LoggingSeverity
from rclpy.node import Node


def create_node(
    node_class: type[Node], placement: Placement, claim: Callable[[str], None]
) -> Node:
    """
    Create a node; ``claim`` gets its full name before anything is created, and may raise.

    Raise ComponentError if the class cannot be created this way, or what its constructor raises;
    the half-made node is destroyed then.
    """
    _check_callable(node_class)
    born: list[Node] = []
    try:
        made = _placed(node_class, placement, claim, born)()
        if made not in born:
            born.append(made)
            raise ComponentError(
                f"'{node_class.__qualname__}' does not reach rclpy through super().__init__(...), "
                'so its name and parameters cannot be set; call super().__init__ there'
            )
    except BaseException:
        for node in born:
            node.destroy_node()
        raise
    return made


def _placed(
    node_class: type[Node], placement: Placement, claim: Callable[[str], None], born: list[Node]
) -> type[Node]:
    """
    Give a child of ``node_class`` whose Node is created with the placement.

    rclpy has no NodeOptions that a constructor could be handed, and most constructors take no
    arguments. So a class slips in between ``node_class`` and rclpy's own, where it meets the call
    of ``super().__init__``; ``node_class`` itself is not touched.
    """
    base: Any = LifecycleNode if issubclass(node_class, LifecycleNode) else Node

    class Placed(PolledEvents, base):
        def __init__(self, node_name: str, **given: Any) -> None:
            claim(placement.full_name(node_name, given.get('namespace') or ''))
            super().__init__(node_name, **placement.options(given))
            born.append(self)
            claim(self.get_fully_qualified_name())
            if placement.log_level != LoggingSeverity.UNSET:
                self.get_logger().set_level(placement.log_level)

    names = {'__module__': node_class.__module__, '__qualname__': node_class.__qualname__}
    return type(node_class.__name__, (node_class, Placed), names)


def _check_callable(node_class: type[Node]) -> None:
    needed = [
        each.name
        for each in inspect.signature(node_class).parameters.values()
        if each.default is each.empty and each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD}
    ]
    if needed:
        raise ComponentError(
            f"'{node_class.__qualname__}' cannot be created without arguments; give defaults to "
            f'these of its constructor: {", ".join(needed)}'
        )
