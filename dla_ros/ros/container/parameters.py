"""The parameters of the container itself."""

from dla_ros.ros.executors import NAMES
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node


def declare(node: Node) -> None:
    """Declare what may be set at the start of the process."""
    node.declare_parameter(
        'executor',
        'auto',
        ParameterDescriptor(
            description='Executor of each node: events, single, multi, or auto: events where '
            'rclpy has it.',
            read_only=True,
        ),
    )
    node.declare_parameter(
        'tune_malloc',
        True,
        ParameterDescriptor(
            description='Keep freed image memory in the process (glibc mallopt).', read_only=True
        ),
    )
    node.declare_parameter(
        'launch_id',
        '',
        ParameterDescriptor(description='Which launch has started the container.', read_only=True),
    )


def launch_of(node: Node) -> str:
    """Give the id of the launch that has started the container; '' if none has."""
    return str(node.get_parameter('launch_id').value)


def executor_of(node: Node) -> str:
    """Give the executor of each node; auto in place of a wrong one, which was told at start."""
    name = str(node.get_parameter('executor').value)
    return name if name in NAMES else 'auto'
