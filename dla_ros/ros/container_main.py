"""The executable ``component_container``: rclpy nodes loaded into one process."""

from collections.abc import Sequence
import sys

from dla_ros.malloc import limit_arenas
from dla_ros.ros.container.container import ComponentContainer
from dla_ros.ros.process import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run an empty container until SIGINT or SIGTERM."""
    limit_arenas()
    return run(ComponentContainer, arguments)


if __name__ == '__main__':
    sys.exit(main())
