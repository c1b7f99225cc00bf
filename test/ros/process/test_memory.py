"""A detector that is configured again and again keeps its size."""

import cv2
import numpy as np
import psutil
import pytest
from sensor_msgs.msg import CompressedImage
from vision_msgs.msg import Detection2DArray

FROM, TO = 10, 60
IMAGES = 3  # of each cycle
MOST_MB = 30.0  # what any process gains by chance; an arena a thread made it 380
HEIGHT, WIDTH = 1080, 1920


def jpeg():
    """Give a picture that is small on its way (no profile of DDS is needed) and 6 MB decoded."""
    data = cv2.imencode('.jpg', np.zeros((HEIGHT, WIDTH, 3), np.uint8))[1].tobytes()
    return CompressedImage(format='jpeg', data=data)


class Cycles:
    """Configure a detector, show it images, clean it up."""

    def __init__(self, node, client_node):
        self._lifecycle = node.lifecycle
        self._executor = client_node.own_executor
        self._camera = client_node.create_publisher(CompressedImage, 'image/compressed', 1)
        self._image = jpeg()
        self._arrays = []
        client_node.create_subscription(Detection2DArray, 'detections', self._arrays.append, 10)

    def run(self, times):
        for _ in range(times):
            assert self._lifecycle.change('configure')
            assert self._lifecycle.change('activate')
            self._show()
            assert self._lifecycle.change('deactivate')
            assert self._lifecycle.change('cleanup')

    def _show(self):
        self._arrays.clear()
        while len(self._arrays) < IMAGES:
            self._camera.publish(self._image)
            self._executor.spin_once(timeout_sec=0.05)


@pytest.mark.timeout(300)
@pytest.mark.parametrize('engine', ['shapes.dla', 'shapes.onnx'])
def test_a_process_is_as_large_after_60_configures_as_after_10(
    open_process, client_node, shapes, engine
):
    node = open_process(engine_file_path=shapes / engine, image_transport='compressed')
    cycles, process = Cycles(node, client_node), psutil.Process(node.process.pid)
    cycles.run(FROM)
    before = process.memory_info().rss / 1e6
    cycles.run(TO - FROM)
    after = process.memory_info().rss / 1e6
    print(f'{engine}: cycle {FROM} {before:.1f} MB, cycle {TO} {after:.1f} MB')
    assert after - before < MOST_MB
    assert node.interrupt() == 0
