"""Host events: places in a stream, waited for and measured between."""

from threading import Event as Gate

from dla_ros.devices.host.device import HostDevice
from dla_ros.errors import DeviceError
import pytest

GENEROUS_S = 20.0


@pytest.fixture
def device():
    with HostDevice.open() as opened:
        yield opened


@pytest.fixture
def stream(device):
    opened = device.open_stream()
    yield opened
    opened.close()


def test_an_event_is_reached_after_the_work_before_it_only(device, stream):
    before, after, gate = device.open_event(), device.open_event(), Gate()
    before.record(stream)
    stream.enqueue(lambda: gate.wait(GENEROUS_S) or None)
    after.record(stream)
    assert before.wait(GENEROUS_S)
    assert not after.wait(0.0)
    gate.set()
    assert after.wait()


def test_a_later_mark_replaces_the_earlier(device, stream):
    event, gate = device.open_event(), Gate()
    event.record(stream)
    stream.enqueue(lambda: gate.wait(GENEROUS_S) or None)
    event.record(stream)
    assert not event.wait(0.0)
    gate.set()
    assert event.wait()
    assert event.wait(), 'a reached event can be waited for again'


def test_elapsed_time_counts_from_the_earlier_mark(device, stream):
    start, end = device.open_event(), device.open_event()
    start.record(stream)
    stream.enqueue(lambda: None)
    end.record(stream)
    end.wait()
    assert end.elapsed_ms_since(start) > 0
    assert end.elapsed_ms_since(start) == -start.elapsed_ms_since(end)


def test_a_failure_shows_at_marks_behind_it_and_not_before(device, stream):
    before, after = device.open_event(), device.open_event()
    before.record(stream)
    stream.enqueue(lambda: 1 / 0)
    after.record(stream)
    with pytest.raises(DeviceError, match='ZeroDivisionError'):
        after.wait()
    assert before.wait()


def test_an_event_without_a_mark_is_refused(device):
    with pytest.raises(DeviceError, match='record it'):
        device.open_event().wait()


def test_time_to_a_place_not_reached_is_refused(device, stream):
    start, end, gate = device.open_event(), device.open_event(), Gate()
    start.record(stream)
    stream.enqueue(lambda: gate.wait(GENEROUS_S) or None)
    end.record(stream)
    with pytest.raises(DeviceError, match='not reached'):
        end.elapsed_ms_since(start)
    gate.set()


def test_a_closed_event_refuses_and_closes_twice(device, stream):
    event = device.open_event()
    event.record(stream)
    event.close()
    event.close()
    for refused in (event.wait, lambda: event.record(stream)):
        with pytest.raises(DeviceError, match='closed'):
            refused()
