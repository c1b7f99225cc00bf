"""Where frames are submitted: on a thread of its own, so that nobody who offers waits."""

from threading import current_thread
from threading import Event as Gate

from dla_ros.pipeline.counters import Counts
from dla_ros.pipeline.submitter import Submitter
import pytest

GENEROUS_S = 20.0


@pytest.fixture
def submitter():
    opened = Submitter()
    yield opened
    opened.close()
    opened.close()


def test_a_submitter_lets_the_caller_go_on(submitter):
    gate, seen = Gate(), []
    mark = submitter.run(lambda: seen.append((gate.wait(GENEROUS_S), current_thread())))
    assert not mark.wait(0.0)
    gate.set()
    assert mark.wait(GENEROUS_S)
    assert [(is_set, thread is current_thread()) for is_set, thread in seen] == [(True, False)]


@pytest.mark.parametrize('slots', [1, 2])
def test_whoever_offers_never_submits(open_pipeline, engine, frame, offer_all, listener, slots):
    submit, threads = engine.submit, []

    def note(binding):
        threads.append(current_thread())
        submit(binding)

    engine.submit = note
    pipeline = open_pipeline(slots=slots)
    offer_all(pipeline, [frame(number) for number in range(20)])
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == list(range(20))
    assert len(threads) == 20
    assert current_thread() not in threads
    assert len(set(threads)) == 1
    pipeline.close()
    assert not threads[0].is_alive()


def test_offering_goes_on_while_the_engine_hangs_in_its_submit_call(
    open_pipeline, engine, frame, listener
):
    let_go, inside, submit = Gate(), Gate(), engine.submit

    def hang(binding):
        inside.set()
        let_go.wait(GENEROUS_S)
        submit(binding)

    engine.submit = hang
    pipeline = open_pipeline(slots=2)
    pipeline.offer(frame(0))
    assert inside.wait(GENEROUS_S)
    for number in range(1, 100):
        pipeline.offer(frame(number))  # this returns, or the test never ends
    assert pipeline.counts.total == Counts(100, superseded=97, waiting=1, in_flight=2)
    let_go.set()
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == [0, 1, 99], 'the newest frame is the one that is processed'
