"""Images taken where rosidl unpacked them, held against what rclpy would have made of them."""

from array import array
from ctypes import c_uint8, string_at
import gc

from dla_ros.ros import messages
from dla_ros.ros.in_place import received_image
from dla_ros.ros.in_place.c_image import CImage
from dla_ros.ros.in_place.check import c_message
from dla_ros.ros.in_place.received_image import ReceivedImage
from dla_ros.ros.in_place.type_support import TypeSupport
import numpy as np
import psutil
import pytest
from sensor_msgs.msg import Image

FIELDS = ('header', 'height', 'width', 'encoding', 'is_bigendian', 'step')


def image(height=3, width=5, encoding='rgb8', padding=2):
    step = width * 3 + padding
    pixels = np.random.default_rng(7).integers(0, 256, height * step, np.uint8)
    made = Image(height=height, width=width, encoding=encoding, step=step)
    made.data = array('B', pixels.tobytes())
    made.header.frame_id = 'kamera_für_vorn'
    made.header.stamp.sec, made.header.stamp.nanosec = -3, 999_999_999
    return made


@pytest.fixture
def freed(monkeypatch):
    """Give the number of times that memory was given back."""
    gc.collect()  # images of earlier tests
    calls = []
    runtime = received_image.runtime()
    counting = runtime._replace(fini=lambda address: calls.append(runtime.fini(address)))
    monkeypatch.setattr(received_image, 'runtime', lambda: counting)
    return calls


@pytest.mark.parametrize(
    'sent',
    [image(), image(1, 1), image(encoding='größe8'), Image(), image(height=0)],
    ids=['rgb8', 'one pixel', 'odd encoding', 'nothing set', 'no pixels'],
)
def test_every_field_is_what_rclpy_makes_of_it(sent):
    with c_message(sent) as address:
        usual = TypeSupport(Image).to_python(address)
        found = ReceivedImage(address)
    for name in FIELDS:
        assert getattr(found, name) == getattr(usual, name)
    assert bytes(found.data) == bytes(usual.data)


def test_what_is_no_utf_8_is_replaced_as_rclpy_does():
    with c_message(image(encoding='rgb8')) as address:
        text = CImage.from_address(address).encoding
        assert string_at(text.data, 4) == b'rgb8'
        c_uint8.from_address(text.data + 1).value = 0xFF
        usual = TypeSupport(Image).to_python(address)
        assert ReceivedImage(address).encoding == usual.encoding == 'r\ufffdb8'


def test_pixels_stay_where_they_are():
    with c_message(image()) as address:
        there = CImage.from_address(address).data.data
        found = ReceivedImage(address)
        assert np.frombuffer(found.data, np.uint8).ctypes.data == there
        assert CImage.from_address(address).data.data is None, 'rosidl would free them too'


def test_pixels_live_as_long_as_a_view_of_them_and_no_longer(freed):
    sent = image()
    with c_message(sent) as address:
        found = ReceivedImage(address)
    plane = messages.view_image(found).planes[0]
    del found
    gc.collect()
    assert not freed
    assert plane.tobytes() == messages.view_image(sent).planes[0].tobytes()
    del plane
    assert len(freed) == 1


def test_without_pixels_there_is_nothing_to_free(freed):
    with c_message(Image()) as address:
        assert not ReceivedImage(address).data.nbytes
    assert not freed


def test_memory_does_not_grow():
    """1000 images of 1 MB: kept ones would be 1 GB."""
    sent, process = image(512, 682), psutil.Process()
    before = process.memory_info().rss
    with c_message(sent) as address:
        for _ in range(1000):
            found = ReceivedImage(address)
            assert bytes(found.data[-4:]) == bytes(sent.data[-4:])
            TypeSupport(Image).from_python(sent, address)
    assert process.memory_info().rss - before < 100 << 20
