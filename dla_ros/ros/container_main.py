"""The executable ``component_container``: rclpy nodes loaded into one process."""

from collections.abc import Sequence
import sys

from dla_ros.malloc import limit_arenas


def main(arguments: Sequence[str] | None = None) -> int:
    """Run an empty container until SIGINT or SIGTERM."""
    limit_arenas()
    # Only now: importing NumPy and rclpy starts threads, and an arena that is there stays.
    from dla_ros.preprocess.threads import use_one_thread
    from dla_ros.ros.container.container import ComponentContainer
    from dla_ros.ros.process import run

    use_one_thread()
    return run(ComponentContainer, arguments)


if __name__ == '__main__':
    sys.exit(main())
