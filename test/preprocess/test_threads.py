"""OpenCV on the calling thread only."""

import cv2
from dla_ros.preprocess.threads import use_one_thread
import pytest


@pytest.fixture
def threads_restored():
    before = cv2.getNumThreads()
    yield
    cv2.setNumThreads(before)


def test_opencv_keeps_to_one_thread(threads_restored):
    cv2.setNumThreads(2)
    use_one_thread()
    assert cv2.getNumThreads() == 1
