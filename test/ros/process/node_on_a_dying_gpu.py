"""The detector node in a process whose GPU is lost after the second image."""

from itertools import count
import sys

from dla_ros.ros.detector_node import DetectorNode
from dla_ros.ros.process import run


class NodeOnADyingGpu(DetectorNode):
    """Let the kernel write where no memory is, as a broken chip or driver would."""

    def configure(self):
        """Count anew."""
        super().configure()
        self._numbers = count(1)

    def _on_result(self, result):
        super()._on_result(result)
        if next(self._numbers) == 2:
            for slot in self._detector._pipeline._slots:
                slot._input_stage._preprocessor._launcher.parameters.out = 1 << 50


if __name__ == '__main__':
    sys.exit(run(NodeOnADyingGpu))
