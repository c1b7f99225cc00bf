"""Many images, in order: slots kept busy, memory bounded, none lost, whatever goes wrong."""

from concurrent.futures import Future
from itertools import islice
from threading import Event as Gate
from threading import Lock

from dla_ros.errors import EngineError, ImageError
from dla_ros.pipeline.counters import Counts
from dla_ros.pipeline.in_order import ResultsInOrder
import numpy as np
import pytest

GENEROUS_S = 20.0


def pixels(results):
    return [int(found.class_ids[0]) for found in results]


def grey(pixel):
    return np.full((8, 8, 3), pixel, np.uint8)


@pytest.fixture
def detect_many():
    """Give the opener of results in order, over functions that load the images."""

    def open_one(pipeline, loads, slots=2, returns_errors=False):
        return ResultsInOrder(
            loads, pipeline.submit, ahead=slots + 1, returns_errors=returns_errors
        )

    return open_one


def loads(count):
    return [lambda number=number: grey(number) for number in range(count)]


@pytest.mark.parametrize('slots', [1, 2, 3])
@pytest.mark.parametrize('count', [0, 1, 4, 60])
def test_results_come_in_the_order_of_the_images(open_pipeline, detect_many, slots, count):
    pipeline = open_pipeline(slots=slots)
    assert pixels(detect_many(pipeline, loads(count), slots)) == list(range(count))
    assert pipeline.counts.total == Counts(count, processed=count)


@pytest.mark.parametrize('slots', [1, 2, 3])
def test_all_slots_are_kept_busy(open_pipeline, engine, detect_many, slots):
    lock, now, most, reached = Lock(), [0], [0], Gate()

    def count(number):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
            if now[0] == slots:
                reached.set()
        reached.wait(GENEROUS_S)
        with lock:
            now[0] -= 1

    engine.during = count
    list(detect_many(open_pipeline(slots=slots), loads(20), slots))
    assert most[0] == slots


@pytest.mark.parametrize('slots', [1, 3])
def test_no_more_images_are_taken_than_slots_and_one(open_pipeline, detect_many, slots):
    taken = []

    def images():
        for number, load in enumerate(loads(40)):
            taken.append(number)
            yield load

    results = detect_many(open_pipeline(slots=slots), images(), slots)
    assert taken == [], 'nothing is taken before a result is asked for'
    for given in range(40):
        next(results)
        assert len(taken) <= given + slots + 1


def test_images_without_end_can_be_left_at_any_time(open_pipeline, detect_many):
    def images():
        number = 0
        while True:
            yield lambda number=number: grey(number % 256)
            number += 1

    pipeline = open_pipeline()
    results = detect_many(pipeline, images())
    assert pixels(islice(results, 5)) == [0, 1, 2, 3, 4]
    del results
    assert pipeline.drain(GENEROUS_S)
    total = pipeline.counts.total
    assert total.received == total.processed
    assert pixels(detect_many(pipeline, loads(3))) == [0, 1, 2], 'and others go on'


def test_closing_waits_for_what_is_on_its_way(open_pipeline, engine, detect_many):
    gate = Gate()
    pipeline = open_pipeline()
    with detect_many(pipeline, loads(10)) as results:
        next(results)
        engine.during = lambda number: gate.wait(0.05)
    total = pipeline.counts.total
    assert total.received == total.processed < 10
    assert list(results) == []


def break_at(position, count):
    found = loads(count)
    found[position] = lambda: None
    return found


def test_an_image_that_cannot_be_read_is_raised_in_its_place(open_pipeline, detect_many):
    pipeline = open_pipeline()
    results = detect_many(pipeline, break_at(2, 5))
    assert pixels(islice(results, 2)) == [0, 1]
    with pytest.raises(ImageError):
        next(results)
    assert pixels(results) == [3, 4], 'the next call goes on with the next image'
    assert pipeline.counts.total == Counts(5, processed=4, invalid=1)


def test_an_image_that_cannot_be_read_is_returned_where_asked_for(open_pipeline, detect_many):
    results = list(detect_many(open_pipeline(), break_at(2, 5), returns_errors=True))
    assert isinstance(results.pop(2), ImageError)
    assert pixels(results) == [0, 1, 3, 4]


def test_an_engine_that_fails_ends_it_with_its_error(open_pipeline, engine, detect_many):
    engine.refuse_at, engine.refusal = 3, EngineError('no more')
    pipeline = open_pipeline()
    results, found = detect_many(pipeline, loads(10), returns_errors=True), []
    with pytest.raises(EngineError, match='no more'):
        found.extend(results)
    assert pixels(found) == [0, 1, 2]
    assert list(results) == []
    total = pipeline.counts.total
    assert total.received == total.processed + total.failed


def test_what_the_images_raise_comes_after_the_results_before_it(open_pipeline, detect_many):
    def images():
        yield from loads(3)
        raise LookupError('the camera is gone')

    found, results = [], detect_many(open_pipeline(), images())
    with pytest.raises(LookupError, match='the camera is gone'):
        found.extend(results)
    assert pixels(found) == [0, 1, 2]
    assert list(results) == []


def test_an_interrupt_while_waiting_takes_no_result_away():
    class Interrupted(Future):
        calls = 0

        def result(self, timeout=None):
            self.calls += 1
            if self.calls == 1:
                raise KeyboardInterrupt
            return super().result(timeout)

    def submit(image):
        future = Interrupted()
        future.set_result(image)
        return future

    results = ResultsInOrder([1, 2], submit, ahead=2, returns_errors=False)
    for wanted in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            next(results)
        assert next(results) == wanted
