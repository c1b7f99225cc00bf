"""The executable ``detector_node``: one detector in a process of its own."""

from collections.abc import Sequence
import sys
from typing import Optional

from dla_ros.ros.detector_node import DetectorNode
from dla_ros.ros.process import run


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the detector until SIGINT or SIGTERM."""
    return run(DetectorNode, arguments)


if __name__ == '__main__':
    sys.exit(main())
