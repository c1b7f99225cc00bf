"""Tasks that never come back: told once, and closing ends all the same."""

from queue import SimpleQueue
from threading import Event as Gate
from threading import Thread

from dla_ros.devices.host.memory import owns
from dla_ros.errors import EngineHangError
from dla_ros.pipeline.counters import Counts
from dla_ros.pipeline.slot import Slot
import pytest

GENEROUS_S = 20.0


def test_a_hung_task_breaks_the_pipeline_and_close_abandons_its_memory(
    open_pipeline, engine, frame, listener
):
    let_go, inputs = Gate(), []
    bind = engine.bind

    def bind_and_remember(stream):
        binding = bind(stream)
        inputs.append(binding.inputs[0].address)
        return binding

    engine.bind = bind_and_remember
    engine.during = lambda number: let_go.wait(GENEROUS_S) if number == 0 else None
    pipeline = open_pipeline(slots=2, watchdog_s=0.1)
    for number in range(3):
        pipeline.offer(frame(number, source=f'camera {number}'))
    assert listener.failed.wait(GENEROUS_S)
    (error,) = listener.failures
    assert isinstance(error, EngineHangError)
    assert 'the pixel engine: no result after 0.1 s, while running the network' in str(error)
    assert 'task_timeout_ms' in str(error)
    assert dict(error.details) == {'waited_s': '0.1', 'doing': 'running the network'}
    assert pipeline.is_broken
    assert listener.told == []
    assert pipeline.counts.total == Counts(3, failed=3)
    pipeline.close()
    assert pipeline.abandoned_slots == 2
    assert engine.log == ['bind', 'bind'], 'the device may still write there'
    assert all(owns(address, 1) for address in inputs)
    let_go.set()
    pipeline.close()
    assert len(listener.failures) == 1


@pytest.fixture
def patience(monkeypatch):
    """Wait until the time of the watchdog was over three times while a picture was prepared."""
    over, wait = SimpleQueue(), Slot.wait_ready

    def count(slot, timeout_s):
        is_ready = wait(slot, timeout_s)
        if not is_ready:
            over.put(slot)
        return is_ready

    monkeypatch.setattr(Slot, 'wait_ready', count)
    return lambda: [over.get(timeout=GENEROUS_S) for _ in range(3)]


def test_a_picture_slow_to_load_is_no_hung_engine(open_pipeline, frame, listener, patience):
    let_go, slow = Gate(), frame(7)
    pipeline = open_pipeline(watchdog_s=0.02)

    def load():
        let_go.wait(GENEROUS_S)
        return slow.load()

    pipeline.offer(frame(0, load=load))
    patience()
    let_go.set()
    assert pipeline.drain(GENEROUS_S)
    assert listener.pixels == [7]
    assert not pipeline.is_broken
    pipeline.close()
    assert pipeline.abandoned_slots == 0


def test_close_waits_for_a_picture_slow_to_load(open_pipeline, frame, listener, patience):
    let_go, begun, slow = Gate(), Gate(), frame(7)
    pipeline = open_pipeline(watchdog_s=0.02)

    def load():
        begun.set()
        let_go.wait(GENEROUS_S)
        return slow.load()

    pipeline.offer(frame(0, load=load))
    assert begun.wait(GENEROUS_S)
    closer = Thread(target=pipeline.close)
    closer.start()
    patience()
    let_go.set()
    closer.join()
    assert listener.pixels == [7]
    assert pipeline.abandoned_slots == 0
    assert pipeline.counts.total == Counts(1, processed=1)


def test_an_engine_that_hangs_in_its_submit_call_is_named_as_the_cause(
    open_pipeline, engine, frame, listener
):
    let_go = Gate()
    engine.submit = lambda binding: let_go.wait(GENEROUS_S)
    pipeline = open_pipeline(watchdog_s=0.1)
    pipeline.offer(frame(0))
    assert listener.failed.wait(GENEROUS_S)
    assert 'while running the network' in str(listener.failures[0])
    let_go.set()


def test_close_ends_though_submitting_hangs(open_pipeline, engine, frame, listener):
    inside, let_go = Gate(), Gate()

    def submit(binding):
        inside.set()
        let_go.wait(GENEROUS_S)

    engine.submit = submit
    pipeline = open_pipeline(slots=2, watchdog_s=0.1)
    caller = Thread(target=pipeline.offer, args=(frame(0),))
    caller.start()
    assert inside.wait(GENEROUS_S)
    pipeline.close()
    assert pipeline.abandoned_slots == 2
    assert pipeline.counts.total == Counts(1, failed=1)
    let_go.set()
    caller.join()
    assert listener.told == []


def test_close_ends_though_a_listener_hangs(open_pipeline, frame, engine):
    inside, let_go = Gate(), Gate()

    def on_result(result):
        inside.set()
        let_go.wait(GENEROUS_S)

    pipeline = open_pipeline(watchdog_s=0.1, on_result=on_result)
    pipeline.offer(frame(0))
    assert inside.wait(GENEROUS_S)
    pipeline.close()
    assert pipeline.abandoned_slots == 2
    assert pipeline.counts.total == Counts(1, failed=1)
    let_go.set()


def test_after_close_gave_up_nothing_more_is_told(open_pipeline, engine, frame, listener):
    let_go = Gate()
    engine.during = lambda number: let_go.wait(GENEROUS_S)
    pipeline = open_pipeline(slots=1, watchdog_s=GENEROUS_S)
    pipeline.offer(frame(0))
    # As close does it, without waiting as long as it would.
    pipeline._dispatch.end(0.1)
    assert not pipeline._completion.join(0.0)
    pipeline._dispatch.fail(EngineHangError('it does not end'))
    let_go.set()
    assert pipeline._completion.join(GENEROUS_S)
    assert listener.told == []
    assert listener.failures == []
    assert pipeline.counts.total == Counts(1, failed=1)
