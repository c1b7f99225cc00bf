"""CUDA streams and events: ordered, asynchronous, broken for good by the first failure."""

from threading import Event as Gate
from threading import Thread

from dla_ros.errors import DeviceError
import pytest

GENEROUS_S = 20.0


@pytest.fixture
def stream(gpu):
    opened = gpu.open_stream()
    yield opened
    opened.close()


@pytest.fixture
def event(gpu):
    opened = gpu.open_event()
    yield opened
    opened.close()


def fail():
    raise ValueError('the lens cap is on')


def test_work_runs_in_order_and_the_caller_does_not_wait(stream):
    gate, seen = Gate(), []
    stream.enqueue(lambda: gate.wait(GENEROUS_S))
    for number in range(100):
        stream.enqueue(lambda number=number: seen.append(number))
    assert seen == []
    gate.set()
    stream.synchronize()
    assert seen == list(range(100))


def test_the_stream_is_no_default_one(stream):
    assert stream.handle > 2


def test_after_a_failure_later_work_is_left_out_and_every_wait_raises(stream, event):
    seen = []
    stream.enqueue(fail)
    stream.enqueue(lambda: seen.append('later'))
    event.record(stream)
    for wait in (stream.synchronize, lambda: event.wait(GENEROUS_S), event.wait):
        with pytest.raises(DeviceError, match='ValueError: the lens cap is on') as caught:
            wait()
        assert isinstance(caught.value.__cause__, ValueError)
    assert seen == []


@pytest.mark.parametrize('timeout_s', [None, GENEROUS_S])
def test_waiting_lets_other_threads_run(stream, event, timeout_s):
    """Only another thread opens the gate: a wait that kept the GIL would never end."""
    gate, ready = Gate(), Gate()
    stream.enqueue(lambda: gate.wait(GENEROUS_S))
    event.record(stream)
    opener = Thread(target=lambda: (ready.wait(GENEROUS_S), gate.set()))
    opener.start()
    ready.set()
    assert event.wait(timeout_s)
    opener.join()


def test_a_wait_that_runs_out_says_so_and_the_next_one_still_sees_the_end(stream, event):
    gate = Gate()
    stream.enqueue(lambda: gate.wait(GENEROUS_S))
    event.record(stream)
    assert not event.wait(0.0)
    assert not event.wait(0.01)
    gate.set()
    assert event.wait(GENEROUS_S)
    assert event.wait(0.0)


def test_an_event_measures_what_lies_between(gpu, stream):
    first, second = gpu.open_event(), gpu.open_event()
    first.record(stream)
    second.record(stream)
    second.wait()
    assert 0 <= second.elapsed_ms_since(first) < 1000
    first.close()
    second.close()


def test_an_event_without_a_mark_is_refused(event):
    with pytest.raises(DeviceError, match='marks no place'):
        event.wait()


def test_a_closed_stream_and_event_are_refused(gpu):
    stream, event = gpu.open_stream(), gpu.open_event()
    stream.close()
    stream.close()
    with pytest.raises(DeviceError, match='is closed'):
        stream.enqueue(fail)
    event.close()
    event.close()
    with pytest.raises(DeviceError, match='is closed'):
        event.wait()
