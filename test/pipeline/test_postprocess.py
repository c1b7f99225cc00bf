"""From candidates in network pixels to detections in the picture."""

from dla_ros.detections import Detections
from dla_ros.images.image import ImageView
from dla_ros.pipeline.frame import LetterboxedImage, Outcome, Thresholds
from dla_ros.pipeline.postprocess import Postprocess
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.preprocessing import Padding
import numpy as np
import pytest


class FixedHead:
    """Give the same candidates whatever the network says, and remember the threshold."""

    num_classes = 3

    def __init__(self, boxes, scores=None, classes=None):
        count = len(boxes)
        self.found = Detections(
            np.array(boxes, np.float32).reshape(-1, 4),
            np.array(scores or [0.9] * count, np.float32),
            np.array(classes or [0] * count, np.int32),
        )
        self.thresholds = []

    def decode(self, outputs, confidence_threshold):
        self.thresholds.append(confidence_threshold)
        return self.found


def outcome(source_hw, network_hw=(640, 640), padding=Padding.CENTER):
    image = ImageView('rgb8', *source_hw, (np.zeros((*source_hw, 3), np.uint8),))
    return Outcome(
        LetterboxedImage(image, Letterbox.fit(source_hw, network_hw, padding)), [], 0.0, 0.0
    )


@pytest.mark.parametrize(
    ('padding', 'box'),
    [
        (Padding.CENTER, [200, 200, 600, 520]),
        (Padding.BOTTOM_RIGHT, [200, 480, 600, 720]),
        (Padding.STRETCH, [200, 270, 600, 450]),
    ],
)
def test_a_box_comes_back_to_the_picture_it_was_seen_in(padding, box):
    """Take a 1280x720 camera and a 640x640 network: the shapes differ, and boxes must not."""
    post = Postprocess(FixedHead([[100, 240, 300, 400]]), Thresholds())
    found = post.detect(outcome((720, 1280), padding=padding))
    assert found.xyxy.tolist() == [box]


def test_boxes_are_cut_at_the_edges_and_those_in_the_padding_go():
    head = FixedHead(
        [[-20, 130, 50, 180], [0, 0, 640, 130], [600, 480, 700, 640], [0, 0, 100, 150]]
    )
    found = Postprocess(head, Thresholds(nms=1.0)).detect(outcome((720, 1280)))
    assert found.xyxy.tolist() == [[0, 0, 100, 80], [1200, 680, 1280, 720], [0, 0, 200, 20]]


def test_a_box_in_the_padding_takes_no_place_of_a_visible_one():
    head = FixedHead([[0, 0, 640, 130], [100, 240, 300, 400]], scores=[0.9, 0.5])
    found = Postprocess(head, Thresholds(max_detections=1)).detect(outcome((720, 1280)))
    assert found.scores.tolist() == [0.5]


def test_the_best_come_first_and_no_more_than_allowed():
    boxes = [[100 * at, 300, 100 * at + 50, 350] for at in range(5)]
    head = FixedHead(boxes, scores=[0.5, 0.7, 0.6, 0.9, 0.8])
    found = Postprocess(head, Thresholds(max_detections=3)).detect(outcome((640, 640)))
    assert found.scores.tolist() == pytest.approx([0.9, 0.8, 0.7])


def test_boxes_of_other_classes_do_not_suppress():
    box = [100, 300, 200, 400]
    head = FixedHead([box, box, box], scores=[0.9, 0.8, 0.7], classes=[0, 1, 0])
    found = Postprocess(head, Thresholds()).detect(outcome((640, 640)))
    assert found.class_ids.tolist() == [0, 1]


def test_no_candidates_are_no_detections():
    found = Postprocess(FixedHead([]), Thresholds()).detect(outcome((480, 640)))
    assert len(found) == 0
    assert found.xyxy.shape == (0, 4)


def test_the_head_is_asked_with_the_thresholds_of_the_moment():
    head = FixedHead([])
    post = Postprocess(head, Thresholds(confidence=0.3))
    post.detect(outcome((8, 8)))
    post.thresholds = Thresholds(confidence=0.7)
    post.detect(outcome((8, 8)))
    assert head.thresholds == [0.3, 0.7]
