"""The executable ``component_container``: rclpy nodes loaded into one process."""

from collections.abc import Sequence
import sys

from dla_ros.ros.start_up import start_up


def main(arguments: Sequence[str] | None = None) -> int:
    """Run an empty container until SIGINT or SIGTERM."""
    start_up(sys.argv if arguments is None else arguments)
    from dla_ros.preprocess.threads import use_one_thread
    from dla_ros.ros.container.container import ComponentContainer
    from dla_ros.ros.process import run

    use_one_thread()
    return run(ComponentContainer, arguments)


if __name__ == '__main__':
    sys.exit(main())
