"""The class that images are subscribed with, over real DDS."""

from ctypes import c_uint8, c_uint32
import threading

from dla_ros.ros.in_place import c_image, check
from dla_ros.ros.in_place import image_type as module
from dla_ros.ros.in_place.image_type import image_type
from dla_ros.ros.in_place.received_image import ReceivedImage
from dla_ros.ros.in_place.runtime import Runtime
import pytest
import rclpy
from sensor_msgs.msg import Image


@pytest.fixture
def warnings(monkeypatch):
    """Ask anew, and give what was warned of."""
    said = []

    class Logger:
        warning = said.append

    monkeypatch.setattr(module, 'get_logger', lambda name: Logger)
    image_type.cache_clear()
    yield said
    image_type.cache_clear()


@pytest.mark.parametrize('executor', ['events', 'single'])
def test_images_come_over_dds_in_place(spinning, executor):
    node, taken, come = rclpy.create_node('taker'), [], threading.Event()

    def take(message):
        taken.append(message)
        come.set()

    subscription = node.create_subscription(image_type(), 'image', take, 10)
    spinning(node, executor=executor)
    camera = node.create_publisher(Image, 'image', 10)
    sent = Image(height=2, width=3, encoding='mono8', step=3, data=[1, 2, 3, 4, 5, 6])
    sent.header.stamp.sec = 11
    camera.publish(sent)
    assert come.wait(10)
    assert type(taken[0]) is ReceivedImage
    assert bytes(taken[0].data) == bytes(sent.data)
    assert taken[0].header == sent.header
    assert subscription.msg_type is not Image
    assert dict(node.get_topic_names_and_types())['/image'] == ['sensor_msgs/msg/Image']
    (ours,), (theirs,) = (
        node.get_subscriptions_info_by_topic('image'), node.get_publishers_info_by_topic('image')
    )  # fmt: skip
    assert ours.topic_type_hash == theirs.topic_type_hash


def test_a_detector_takes_its_images_so(open_rig):
    rig, kinds = open_rig(), []
    view = rig.node._view
    rig.node._view = lambda message: [kinds.append(type(message)), view(message)][1]
    rig.activate()
    assert rig.show(rig.image()).detections
    assert kinds == [ReceivedImage]


def test_it_is_asked_once(warnings):
    assert image_type() is image_type() is not Image
    assert not warnings


class Shifted(c_image.CImage):
    """A build of ROS with a field more, as our eyes would see it."""

    _fields_ = (('more', c_uint32),)

    @classmethod
    def from_address(cls, address):
        return c_image.CImage.from_address(address + 4)


def test_another_layout_is_noticed_and_images_are_copied(warnings, monkeypatch):
    monkeypatch.setattr(check, 'CImage', Shifted)
    assert image_type() is Image
    assert "['stamp', 'frame_id', 'encoding'" in warnings[0]
    assert 'each image is copied twice more' in warnings[0]


def test_another_kind_of_sequence_is_noticed(warnings, monkeypatch):
    known = check.runtime()

    def init(address, size):
        c_uint8.from_address(address + 24).value = 1
        return known.init(address, size)

    monkeypatch.setattr(check, 'runtime', lambda: Runtime(init, known.fini))
    assert image_type() is Image
    assert 'a sequence of bytes is more than data, size and capacity' in warnings[0]


def test_a_library_that_is_not_there_is_noticed(warnings, monkeypatch):
    def missing():
        raise OSError('librosidl_runtime_c.so: cannot open')

    monkeypatch.setattr(check, 'runtime', missing)
    assert image_type() is Image
    assert 'cannot open' in warnings[0]
