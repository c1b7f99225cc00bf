"""Where a slot submits: on the caller's thread, or on its own."""

from threading import current_thread
from threading import Event as Gate

from dla_ros.devices.host.device import HostDevice
from dla_ros.pipeline.front import CallerFront, open_front, ThreadFront
import pytest

GENEROUS_S = 20.0


@pytest.fixture
def front():
    opened = ThreadFront()
    yield opened
    opened.close()
    opened.close()


def test_a_front_of_its_own_lets_the_caller_go_on(front):
    gate, seen = Gate(), []
    front.run(lambda: seen.append((gate.wait(GENEROUS_S), current_thread())))
    assert not front.wait(0.0)
    gate.set()
    assert front.wait(GENEROUS_S)
    assert [(is_set, thread is current_thread()) for is_set, thread in seen] == [(True, False)]


def test_a_front_that_has_run_nothing_is_done(front):
    assert front.wait(GENEROUS_S)


def test_where_pictures_are_loaded_on_the_stream_the_caller_submits():
    seen = []
    with HostDevice.open() as device:
        front = open_front(device)
    assert isinstance(front, CallerFront)
    front.run(lambda: seen.append(current_thread()))
    assert seen == [current_thread()]
    assert front.wait(0.0)
