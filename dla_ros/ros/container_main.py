"""The executable ``component_container``: rclpy nodes loaded into one process."""

from collections.abc import Sequence
import sys

from dla_ros.ros.start_up import start_up

HELP = (
    'A process for rclpy nodes, which ros2 component load or a launch file load into it '
    '(docs/composition.md). Its parameters: executor, tune_malloc.'
)


def main(words: Sequence[str] | None = None) -> int:
    """Run an empty container until SIGINT or SIGTERM."""
    words = sys.argv[1:] if words is None else words
    start_up(words)
    from dla_ros.preprocess.threads import use_one_thread
    from dla_ros.ros.container.container import ComponentContainer
    from dla_ros.ros.executable import execute, parser_of
    from dla_ros.ros.process import run

    use_one_thread()
    parser = parser_of('component_container', HELP)
    return execute(parser, lambda _, every: run(ComponentContainer, every), words)


if __name__ == '__main__':
    sys.exit(main())
