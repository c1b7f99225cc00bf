"""The executable ``detector_node``: one detector in a process of its own."""

from collections.abc import Sequence
import sys

from dla_ros.ros.start_up import start_up

HELP = (
    'A lifecycle node that detects objects in images on a DLA; bring_up, ros2 lifecycle or a '
    'launch file configure and activate it. Its parameters: dla_ros parameters, docs/node.md.'
)


def main(words: Sequence[str] | None = None) -> int:
    """Run the detector until SIGINT or SIGTERM."""
    words = sys.argv[1:] if words is None else words
    start_up(words)
    from dla_ros.preprocess.threads import use_one_thread
    from dla_ros.ros.detector_node import DetectorNode
    from dla_ros.ros.executable import execute, parser_of
    from dla_ros.ros.process import run

    use_one_thread()
    parser = parser_of('detector_node', HELP)
    return execute(parser, lambda _, every: run(DetectorNode, every), words)


if __name__ == '__main__':
    sys.exit(main())
