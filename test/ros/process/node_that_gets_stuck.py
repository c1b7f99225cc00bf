"""The detector node in a process where one task never ends, as a driver that hangs."""

import sys
from threading import Event

from dla_ros.ros.detector_node import DetectorNode
from dla_ros.ros.process import run


class NodeThatGetsStuck(DetectorNode):
    """Never come back from the first image."""

    def _view(self, message):
        Event().wait()


if __name__ == '__main__':
    sys.exit(run(NodeThatGetsStuck))
