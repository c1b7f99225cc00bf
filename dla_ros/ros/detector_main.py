"""The executable ``detector_node``: one detector in a process of its own."""

from collections.abc import Sequence
import sys

from dla_ros.ros.start_up import start_up


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the detector until SIGINT or SIGTERM."""
    start_up(sys.argv if arguments is None else arguments)
    from dla_ros.preprocess.threads import use_one_thread
    from dla_ros.ros.detector_node import DetectorNode
    from dla_ros.ros.process import run

    use_one_thread()
    return run(DetectorNode, arguments)


if __name__ == '__main__':
    sys.exit(main())
