"""Host streams: ordered, asynchronous, broken for good by the first failure."""

from threading import Event as Gate

from dla_ros.devices.host.device import HostDevice
from dla_ros.devices.host.stream import stream_of
from dla_ros.errors import DeviceError
import pytest

GENEROUS_S = 20.0


@pytest.fixture
def stream():
    opened = HostDevice.open().open_stream()
    yield opened
    opened.close()


def fail():
    raise ValueError('the lens cap is on')


def test_work_runs_in_order(stream):
    seen = []
    for number in range(1000):
        stream.enqueue(lambda number=number: seen.append(number))
    stream.synchronize()
    assert seen == list(range(1000))


def test_the_caller_does_not_wait_for_the_work(stream):
    gate, seen = Gate(), []
    stream.enqueue(lambda: seen.append(gate.wait(GENEROUS_S)))
    assert seen == []
    gate.set()
    stream.synchronize()
    assert seen == [True]


def test_two_streams_run_at_the_same_time():
    first, second = HostDevice.open().open_stream(), HostDevice().open_stream()
    gate, seen = Gate(), []
    first.enqueue(lambda: seen.append(gate.wait(GENEROUS_S)))
    second.enqueue(gate.set)
    first.synchronize()
    assert seen == [True]
    first.close()
    second.close()


def test_after_a_failure_later_work_is_left_out_and_every_wait_raises(stream):
    seen = []
    stream.enqueue(fail)
    stream.enqueue(lambda: seen.append('later'))
    for _ in range(2):
        with pytest.raises(DeviceError, match='ValueError: the lens cap is on') as caught:
            stream.synchronize()
        assert isinstance(caught.value.__cause__, ValueError)
    assert seen == []


def test_one_broken_stream_leaves_another_alone(stream):
    other = HostDevice.open().open_stream()
    stream.enqueue(fail)
    other.enqueue(lambda: None)
    other.synchronize()
    other.close()


def test_handles_are_distinct_and_never_a_default_stream(stream):
    other = HostDevice.open().open_stream()
    assert stream.handle != other.handle
    assert min(stream.handle, other.handle) > 2
    other.close()


def test_a_handle_leads_back_to_its_open_stream(stream):
    handle = stream.handle
    assert stream_of(handle) is stream
    assert stream_of(0) is None
    stream.close()
    assert stream_of(handle) is None


def test_close_lets_enqueued_work_end_and_the_thread_with_it(stream):
    seen = []
    for number in range(100):
        stream.enqueue(lambda number=number: seen.append(number))
    stream.close()
    assert seen == list(range(100))
    assert not stream._worker.is_alive()


def test_a_closed_stream_refuses_and_closes_twice(stream):
    stream.close()
    stream.close()
    with pytest.raises(DeviceError, match='closed'):
        stream.enqueue(fail)
    with pytest.raises(DeviceError, match='closed'):
        stream.synchronize()


def test_a_stream_cannot_wait_for_itself(stream):
    stream.enqueue(stream.synchronize)
    with pytest.raises(DeviceError, match='cannot wait for itself'):
        stream.synchronize()


def test_a_closed_device_opens_nothing():
    device = HostDevice.open()
    device.close()
    device.close()
    for refused in (device.open_stream, device.open_event, lambda: device.allocate(1)):
        with pytest.raises(DeviceError, match='closed'):
            refused()
