"""Images that cannot be one: dropped, counted, told, and the next one is found."""

from array import array

import cv2
from dla_ros.one_line import MOST_CHARACTERS
import numpy as np
import pytest
from sensor_msgs.msg import CompressedImage, Image
from std_msgs.msg import Header


def bgr8(**changes):
    """Give an 8x8 image, wrong as told."""
    message = Image(height=8, width=8, encoding='bgr8', step=24, data=array('B', bytes(192)))
    for name, value in changes.items():
        setattr(message, name, value)
    return message


BAD = {
    'a byte is missing': (bgr8(data=array('B', bytes(191))), '191 bytes'),
    'a byte too many': (bgr8(data=array('B', bytes(193))), '193 bytes'),
    'rows overlap': (bgr8(step=23), 'step is 23'),
    'no rows': (bgr8(height=0, data=array('B')), 'height 0'),
    'no columns': (bgr8(width=0), 'width 0'),
    'no data': (bgr8(data=array('B')), '0 bytes'),
    'nothing at all': (Image(), "image encoding ''"),
    'more rows than memory': (bgr8(height=2**32 - 1), 'height 4294967295'),
    'an encoding of nobody': (bgr8(encoding='foo8'), "'foo8' is not known; accepted: rgb8, bgr8"),
    'depth': (bgr8(encoding='16UC1'), "'16UC1' is not known; accepted: rgb8, bgr8"),
    'rgb8 in capitals': (bgr8(encoding='RGB8'), "'RGB8' is not known"),
}


@pytest.mark.parametrize('case', BAD)
def test_a_bad_image_is_dropped_counted_and_told(open_rig, log, case):
    message, words = BAD[case]
    rig = open_rig()
    rig.activate()
    rig.camera().publish(message)
    assert rig.spin_until(lambda: rig.counts.invalid == 1)
    assert rig.arrays == []
    text = log.text
    assert "dropped an image of 'image'" in text
    assert words in text
    assert 'Traceback' not in text
    assert rig.show(rig.image()).detections
    assert rig.counts.is_balanced


def test_each_camera_complains_once_in_a_while_for_itself(open_rig, log):
    rig = open_rig(image_topics=['/front/image', '/rear/image'])
    rig.activate()
    for count in range(3):
        for topic in ('/front/image', '/rear/image'):
            rig.camera(topic).publish(bgr8(step=23))
            assert rig.spin_until(lambda t=topic, n=count: rig.node.counts.of(t).invalid == n + 1)
    text = log.text
    assert text.count("dropped an image of '/front/image'") == 1
    assert text.count("dropped an image of '/rear/image'") == 1
    assert rig.counts.invalid == 6


@pytest.mark.parametrize(
    ('data', 'words'),
    [(b'', 'nothing'), (b'\xff\xd8\xff\xe0 no jpeg', 'cut off'), (b'BM bitmap', 'neither')],
)
def test_a_bad_compressed_image_is_dropped_counted_and_told(open_rig, log, data, words):
    rig = open_rig(image_transport='compressed')
    rig.activate()
    message = CompressedImage(format='jpeg', data=array('B', data))
    rig.camera('image/compressed', CompressedImage).publish(message)
    assert rig.spin_until(lambda: rig.counts.invalid == 1)
    assert log.tells(words)
    assert rig.lifecycle.state() == 'active'


@pytest.mark.parametrize('transport', ['raw', 'compressed'])
def test_an_image_larger_than_the_parameter_says_is_dropped_counted_and_told(
    open_rig, log, transport
):
    rig = open_rig(image_transport=transport, max_image_pixels=63)
    rig.activate()
    if transport == 'raw':
        rig.camera().publish(bgr8())
    else:
        content = cv2.imencode('.png', np.zeros((8, 8, 3), np.uint8))[1].tobytes()
        message = CompressedImage(format='png', data=array('B', content))
        rig.camera('image/compressed', CompressedImage).publish(message)
    assert rig.spin_until(lambda: rig.counts.invalid == 1)
    assert '64 pixels, and at most 63 are' in log.text
    assert 'max_image_pixels' in log.text


@pytest.mark.parametrize('transport', ['raw', 'compressed'])
def test_the_texts_of_a_stranger_come_into_the_log_as_one_plain_line(open_rig, log, transport):
    rig = open_rig(image_transport=transport)
    rig.activate()
    forged = 'x\x1b[31m\n[INFO] [1.0] [node]: forged' + 300_000 * 'y'
    if transport == 'raw':
        rig.camera().publish(bgr8(encoding=forged))
    else:
        rig.camera('image/compressed', CompressedImage).publish(CompressedImage(format=forged))
    assert rig.spin_until(lambda: rig.counts.invalid == 1)
    (line,) = [line for line in log.text.splitlines() if 'forged' in line]
    assert r'x\x1b[31m\n[INFO] [1.0] [node]: forgedyyy' in line
    assert len(line) < MOST_CHARACTERS + 300


@pytest.mark.parametrize('length', [1024, 1025])
def test_a_frame_id_beyond_measure_is_not_copied_into_every_detection(open_rig, log, length):
    rig = open_rig()
    rig.activate()
    rig.camera().publish(bgr8(header=Header(frame_id=length * 'f')))
    if length == 1024:
        assert rig.spin_until(lambda: rig.arrays)
        assert rig.arrays[0].header.frame_id == length * 'f'
        return
    assert rig.spin_until(lambda: rig.counts.invalid == 1)
    assert rig.arrays == []
    assert 'its frame_id has 1025 characters' in log.text
