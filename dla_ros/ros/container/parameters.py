"""The parameters of the container itself."""

from dla_ros.ros.executors import NAMES
from dla_ros.setting import Setting, When
from rclpy.node import Node

ROWS = {
    'executor': Setting(
        'Executor of each node: events, single, multi, or auto: events where rclpy has it.',
        str, False, 'auto', choices=NAMES, when=When.START,
    ),
    'tune_malloc': Setting(
        'Keep freed image memory in the process (glibc mallopt).',
        bool, False, True, when=When.START,
    ),
    'launch_id': Setting(
        'Which launch has started the container.', str, False, '', when=When.START
    ),
}  # fmt: skip


def launch_of(node: Node) -> str:
    """Give the id of the launch that has started the container; '' if none has."""
    return str(node.get_parameter('launch_id').value)


def executor_of(node: Node) -> str:
    """Give the executor of each node."""
    return str(node.get_parameter('executor').value)
