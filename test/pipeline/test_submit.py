"""Images that somebody waits for: none lost, whatever else goes on, and told to nobody else."""

from functools import partial
import gc
from threading import Event as Gate
from threading import Thread
import time
import weakref

from dla_ros.errors import DlaError, EngineError, EngineHangError, HeadError, ImageError
from dla_ros.pipeline.counters import Counts
import numpy as np
import pytest

GENEROUS_S = 20.0


def pixel_of(answer):
    return int(answer.result(GENEROUS_S).class_ids[0])


@pytest.fixture
def grey():
    """Give the maker of arrays of one colour."""
    return lambda pixel: np.full((8, 8, 3), pixel, np.uint8)


@pytest.fixture
def submit(grey):
    """Give the submitter of arrays of one colour."""
    return lambda pipeline, pixel: pipeline.submit(lambda: grey(pixel))


@pytest.fixture
def gate(engine):
    """Hold every task until the gate opens; it is open after the test."""
    made = Gate()
    engine.during = lambda number: made.wait(GENEROUS_S)
    yield made
    made.set()


@pytest.mark.parametrize('slots', [1, 3])
def test_no_image_takes_the_place_of_another(open_pipeline, submit, gate, slots):
    pipeline = open_pipeline(slots=slots)
    answers = [submit(pipeline, number) for number in range(50)]
    assert pipeline.counts.total == Counts(50, waiting=50 - slots, in_flight=slots)
    gate.set()
    assert [pixel_of(answer) for answer in answers] == list(range(50))
    assert pipeline.counts.of('detect') == Counts(50, processed=50)


def test_listeners_hear_only_of_what_was_offered(open_pipeline, submit, frame, listener):
    pipeline = open_pipeline()
    answer = submit(pipeline, 7)
    pipeline.offer(frame(9))
    assert pixel_of(answer) == 7
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == [9]


def test_without_listeners_an_offer_is_refused_and_not_counted(open_pipeline, submit, frame):
    pipeline = open_pipeline(on_result=None, on_invalid=None, on_failure=None)
    with pytest.raises(RuntimeError, match=r'nobody listens .*on_result.* or use detect'):
        pipeline.offer(frame(0))
    assert pixel_of(submit(pipeline, 3)) == 3
    assert pipeline.counts.total == Counts(1, processed=1)


def test_listeners_come_together(open_pipeline):
    with pytest.raises(TypeError, match='together, or none'):
        open_pipeline(on_failure=None)


def test_who_waits_and_live_cameras_take_turns(open_pipeline, submit, frame, gate, engine):
    order = []
    pipeline = open_pipeline(slots=1, on_result=lambda result: order.append(result.frame.token))
    first = submit(pipeline, 0)
    pipeline.offer(frame('old', load=lambda: None))
    answers = [submit(pipeline, number) for number in (1, 2)]
    for each in (first, *answers):
        each.add_done_callback(lambda done: order.append(pixel_of(done)))
    pipeline.offer(frame(100))
    gate.set()
    assert pipeline.drain(GENEROUS_S)
    assert [pixel_of(answer) for answer in answers] == [1, 2]
    assert sorted(order) == [0, 1, 2, 100]
    assert order.index(100) < order.index(1), 'the camera kept the place of its older image'
    assert pipeline.counts.of('camera') == Counts(2, processed=1, superseded=1)


def test_threads_that_detect_and_threads_that_offer_lose_nothing(
    open_pipeline, submit, frame, listener
):
    pipeline, wrong = open_pipeline(slots=2), []

    def detect(first):
        for number in range(first, first + 60):
            if pixel_of(submit(pipeline, number % 256)) != number % 256:
                wrong.append(number)

    def offer(source):
        for number in range(200):
            pipeline.offer(frame(number, source=source))
            time.sleep(0)

    threads = [Thread(target=detect, args=(first,)) for first in (0, 60, 120)]
    threads += [Thread(target=offer, args=(source,)) for source in ('left', 'right')]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert pipeline.counts.total.is_balanced
        threads[0].join(0.001)
    assert pipeline.drain(GENEROUS_S)
    assert wrong == []
    assert pipeline.counts.of('detect') == Counts(180, processed=180)
    for source in ('left', 'right'):
        counts = pipeline.counts.of(source)
        assert counts.received == counts.processed + counts.superseded == 200


@pytest.mark.parametrize('load', [lambda: None, lambda: 'street.jpg', lambda: 1 / 0])
def test_what_is_no_image_is_told_of_that_image_alone(open_pipeline, submit, load):
    pipeline = open_pipeline()
    answers = [submit(pipeline, 1), pipeline.submit(load), submit(pipeline, 2)]
    with pytest.raises(ImageError):
        answers[1].result(GENEROUS_S)
    assert (pixel_of(answers[0]), pixel_of(answers[2])) == (1, 2)
    assert not pipeline.is_broken
    assert pipeline.counts.total == Counts(3, processed=2, invalid=1)


def test_an_offered_frame_may_load_an_array(open_pipeline, frame, grey, listener):
    pipeline = open_pipeline()
    pipeline.offer(frame(0, load=lambda: grey(5)))
    assert pipeline.drain(GENEROUS_S)
    assert listener.pixels == [5]


def test_an_offered_frame_that_loads_no_image_is_told_as_invalid(
    open_pipeline, frame, listener, offer_all
):
    pipeline = open_pipeline()
    offer_all(pipeline, [frame(0, load=lambda: None), frame(1)])
    assert pipeline.drain(GENEROUS_S)
    ((_, error),) = listener.invalid
    assert 'got None; an image is' in str(error)
    assert listener.told == [0, 1]


def test_a_failure_reaches_all_who_wait_as_what_it_is(open_pipeline, submit, engine, gate):
    engine.refuse_at, engine.refusal = 2, DlaError('refused', call='submit_task', status=7)
    pipeline = open_pipeline(on_result=None, on_invalid=None, on_failure=None)
    answers = [submit(pipeline, number) for number in range(6)]
    gate.set()
    assert [pixel_of(answer) for answer in answers[:2]] == [0, 1]
    for answer in answers[2:]:
        with pytest.raises(EngineError, match='refused'):
            answer.result(GENEROUS_S)
    assert pipeline.counts.total == Counts(6, processed=2, failed=4)


def test_a_task_that_hangs_is_an_error_of_its_own_type(open_pipeline, submit, engine):
    let_go = Gate()
    engine.during = lambda number: let_go.wait(GENEROUS_S)
    pipeline = open_pipeline(slots=1, watchdog_s=0.1)
    answers = [submit(pipeline, number) for number in range(3)]
    for answer in answers:
        with pytest.raises(EngineHangError, match='no result after'):
            answer.result(GENEROUS_S)
    with pytest.raises(EngineHangError, match='no result after'):
        submit(pipeline, 9).result(GENEROUS_S)
    assert pipeline.counts.total == Counts(4, failed=4)
    pipeline.close()
    let_go.set()


def test_what_a_broken_pipeline_is_asked_keeps_no_image_alive(open_pipeline, engine, grey):
    engine.refuse_at, engine.refusal = 0, EngineError('no')
    pipeline = open_pipeline()

    def ask():
        image = grey(1)
        with pytest.raises(EngineError):
            pipeline.submit(lambda: image).result(GENEROUS_S)
        return weakref.ref(image)

    ask()
    kept = [ask() for _ in range(5)]
    gc.collect()
    assert [reference() for reference in kept] == [None] * 5


def test_what_the_head_raises_is_told_to_who_waits(open_pipeline, submit):
    class UnfitHead:
        num_classes = 1

        def decode(self, outputs, confidence_threshold):
            raise HeadError('outputs do not fit')

    pipeline = open_pipeline(head=UnfitHead())
    with pytest.raises(HeadError, match='do not fit'):
        submit(pipeline, 0).result(GENEROUS_S)


def test_closing_finishes_what_is_in_flight_and_answers_who_waits(
    open_pipeline, submit, gate, engine
):
    pipeline = open_pipeline(slots=2)
    answers = [submit(pipeline, number) for number in range(4)]
    closing = Thread(target=pipeline.close)
    closing.start()
    for answer in answers[2:]:
        with pytest.raises(EngineError, match='is closed; open it again'):
            answer.result(GENEROUS_S)
    gate.set()
    closing.join()
    assert [pixel_of(answer) for answer in answers[:2]] == [0, 1]
    with pytest.raises(EngineError, match='is closed; open it again'):
        submit(pipeline, 9).result(GENEROUS_S)
    assert pipeline.counts.total == Counts(5, processed=2, superseded=2, failed=1)


def test_a_listener_cannot_wait_for_the_pipeline(open_pipeline, submit, frame, listener):
    pipeline = open_pipeline(on_result=lambda result: submit(pipeline, 1))
    pipeline.offer(frame(0))
    assert listener.failed.wait(GENEROUS_S)
    assert 'a listener cannot wait for the pipeline' in str(listener.failures[0])


def test_nothing_keeps_an_image_once_its_answer_is_there(open_pipeline, grey):
    pipeline = open_pipeline()
    for number in range(50):
        image = grey(number)
        there = weakref.ref(image)
        load = partial(np.asarray, image)
        answer = pipeline.submit(load)
        del load
        assert pixel_of(answer) == number
        del image
        assert there() is None
