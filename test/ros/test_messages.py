"""Detections as vision_msgs, by themselves."""

from dla_ros.detections import Detections
from dla_ros.ros import messages
import numpy as np
import pytest
from std_msgs.msg import Header

INDICES = (0, 9, 10, 65)


def found(class_ids):
    count = len(class_ids)
    boxes = [[10.25 * i, 1.5, 10.25 * i + 4.5, 8.75] for i in range(count)]
    return Detections(
        np.array(boxes, np.float32).reshape(-1, 4), np.linspace(0.9, 0.5, count, dtype=np.float32),
        np.array(class_ids, np.int32),
    )  # fmt: skip


def test_a_class_is_written_in_digits_however_large():
    names = [str(i) for i in range(66)]
    array = messages.to_detection_array(found(INDICES), Header(), names)
    assert [d.results[0].hypothesis.class_id for d in array.detections] == ['0', '9', '10', '65']
    assert [d.id for d in array.detections] == [''] * 4, 'an id is for a tracker to give'


def test_label_info_has_the_same_pairs():
    labels = [f'class {i}' for i in range(66)]
    info = messages.to_label_info(labels, 0.25, Header())
    assert [(row.class_id, row.class_name) for row in info.class_map] == list(enumerate(labels))
    assert info.threshold == pytest.approx(0.25)


def test_boxes_keep_their_fractions_of_a_pixel():
    array = messages.to_detection_array(found(INDICES), Header(), [str(i) for i in range(66)])
    box = array.detections[1].bbox
    assert (box.center.position.x, box.center.position.y) == (12.5, 5.125)
    assert (box.size_x, box.size_y, box.center.theta) == (4.5, 7.25, 0.0)
    _, back = messages.to_detections(array)
    np.testing.assert_array_equal(back.xyxy, found(INDICES).xyxy)
    np.testing.assert_array_equal(back.class_ids, INDICES)


def test_a_picture_becomes_a_message_whatever_its_memory():
    picture = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    for view in (picture, picture[:, ::-1], picture[1:, 2:]):
        message = messages.to_image(view, Header(frame_id='here'))
        assert (message.height, message.width) == view.shape[:2]
        assert message.step == view.shape[1] * 3
        assert bytes(message.data) == view.tobytes()
        assert (message.encoding, message.header.frame_id) == ('bgr8', 'here')
