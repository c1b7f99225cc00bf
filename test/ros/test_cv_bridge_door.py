"""What goes through cv_bridge; the cases with it need one that works, as apt brings it."""

from array import array
import sys

from dla_ros.errors import ImageError
from dla_ros.ros.cv_bridge_door import CvBridgeDoor
from dla_ros.ros.messages import to_detections, to_image, view_image
import numpy as np
import pytest
from sensor_msgs.msg import Image
from std_msgs.msg import Header

NEEDS_CV_BRIDGE = pytest.mark.skipif(
    not CvBridgeDoor.open().is_open, reason='needs a full ROS install (cv_bridge)'
)


def wide(message, encoding='rgb16'):
    """Give an rgb8 image with 16 bits for each colour."""
    pixels = np.frombuffer(message.data, np.uint8).astype('<u2') * 257
    wider = Image(header=message.header, height=message.height, width=message.width)
    wider.encoding, wider.step = encoding, message.step * 2
    wider.data = array('B', pixels.tobytes())
    return wider


def refusal_of(message):
    with pytest.raises(ImageError) as caught:
        view_image(message)
    return caught.value


def depth(encoding, itemsize):
    message = Image(height=4, width=6, encoding=encoding, step=6 * itemsize)
    message.data = array('B', bytes(24 * itemsize))
    return message


@pytest.fixture
def no_cv_bridge(monkeypatch):
    """Let Python find no cv_bridge, even where there is one."""
    monkeypatch.setitem(sys.modules, 'cv_bridge', None)


def test_without_cv_bridge_the_package_that_brings_it_is_named(no_cv_bridge):
    message = depth('rgb16', 6)
    door = CvBridgeDoor.open()
    assert not door.is_open
    with pytest.raises(ImageError, match=r'rgb16.*accepted: rgb8.*apt install ros-.*-cv-bridge'):
        door.convert(message, refusal_of(message))


def test_an_image_that_needs_cv_bridge_is_dropped_with_the_command(no_cv_bridge, open_rig, log):
    rig = open_rig()
    rig.activate()
    rig.camera().publish(wide(rig.image()))
    assert rig.spin_until(lambda: rig.counts.invalid == 1)
    assert log.tells('sudo apt install ros-$ROS_DISTRO-cv-bridge')


@NEEDS_CV_BRIDGE
def test_sixteen_bits_of_colour_are_found_through_it(open_rig):
    rig = open_rig()
    rig.activate()
    for encoding in ('rgb16', 'rgb8'):
        image = rig.image() if encoding == 'rgb8' else wide(rig.image())
        _, found = to_detections(rig.show(image))
        truth = rig.scene.truth(0)
        assert sorted(found.class_ids.tolist()) == sorted(truth.class_ids.tolist())
    assert rig.counts.invalid == 0


@NEEDS_CV_BRIDGE
@pytest.mark.parametrize(('encoding', 'itemsize'), [('16UC1', 2), ('32FC1', 4), ('foo8', 1)])
def test_what_has_no_colours_stays_refused(encoding, itemsize):
    message = depth(encoding, itemsize)
    with pytest.raises(ImageError, match=f'{encoding}.*nor does cv_bridge read it'):
        CvBridgeDoor.open().convert(message, refusal_of(message))


@NEEDS_CV_BRIDGE
@pytest.mark.parametrize('encoding', ['rgb16', 'bgr16', 'rgba16'])
@pytest.mark.parametrize(
    'change', [{'data': array('B', bytes(7))}, {'height': 0}, {'width': 0}, {'step': 3},
               {'width': 60}],
)  # fmt: skip
def test_sizes_that_do_not_fit_are_refused(encoding, change):
    message = depth(encoding, 8 if 'a' in encoding else 6)
    for name, value in change.items():
        setattr(message, name, value)
    with pytest.raises(ImageError, match=encoding):
        CvBridgeDoor.open().convert(message, refusal_of(message))


PICTURE = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
HEADER = Header(frame_id='here')


class Written:
    """Stand before a cv_bridge and count what it writes."""

    def __init__(self, bridge):
        self.bridge = bridge
        self.messages = []

    def cv2_to_imgmsg(self, *arguments, **named):
        self.messages.append(self.bridge.cv2_to_imgmsg(*arguments, **named))
        return self.messages[-1]


class Broken:
    """A cv_bridge as PyPI has it: it was built for another NumPy."""

    calls = 0

    def cv2_to_imgmsg(self, *_, **__):
        self.calls += 1
        raise SystemError('initialization of cv_bridge_boost raised unreported exception')


@NEEDS_CV_BRIDGE
def test_a_picture_goes_out_through_it_and_is_the_same(log):
    from cv_bridge import CvBridge

    bridge = Written(CvBridge())
    message = CvBridgeDoor(bridge).write(PICTURE, HEADER)
    assert message is bridge.messages[0]
    assert message == to_image(PICTURE, HEADER)
    assert log.text == ''


def test_a_picture_goes_out_without_it(no_cv_bridge, log):
    assert CvBridgeDoor.open().write(PICTURE, HEADER) == to_image(PICTURE, HEADER)
    assert log.text == '', 'there is nothing to complain about'


def test_a_broken_one_is_told_once_and_the_picture_goes_out(ros_context, log):
    bridge = Broken()
    door = CvBridgeDoor(bridge)
    for _ in range(2):
        assert door.write(PICTURE, HEADER) == to_image(PICTURE, HEADER)
    assert bridge.calls == 1
    assert log.text.count('debug images go out without cv_bridge') == 1


@NEEDS_CV_BRIDGE
def test_the_debug_image_of_the_node_went_through_it(open_rig, client_node):
    rig, seen = open_rig(), []
    bridge = rig.node._bridge._bridge = Written(rig.node._bridge._bridge)
    rig.activate()
    client_node.create_subscription(Image, 'debug_image', seen.append, 10)
    assert rig.spin_until(lambda: rig.node.count_subscribers('debug_image'))
    assert rig.spin_until(lambda: rig.show(rig.image()) and seen)
    assert seen[0] in bridge.messages
