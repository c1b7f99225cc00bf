"""Failures: told once, in order, with the reason; every frame still counted."""

from functools import partial
from threading import Event as Gate
from threading import Thread
import time

from dla_ros.errors import DlaError, EngineError, HeadError
from dla_ros.pipeline.counters import Counts
import pytest

GENEROUS_S = 20.0


def wait_for_failure(listener):
    assert listener.failed.wait(GENEROUS_S)


def offer_until_failed(pipeline, frame, listener):
    """Offer frames, none in place of another, until the pipeline has failed; give how many."""
    for number in range(10_000):
        pipeline.offer(frame(number, source=f'camera {number}'))
        if listener.failed.wait(0.001):
            return number + 1
    raise AssertionError('it never failed')


def test_a_refused_task_is_told_once_with_what_the_engine_knows(
    open_pipeline, engine, frame, listener
):
    engine.refuse_at = 3
    engine.refusal = DlaError('cudlaSubmitTask refused', call='cudlaSubmitTask', status=7)
    engine.known = EngineError('last error: EngineTimeout')
    pipeline = open_pipeline()
    offered = offer_until_failed(pipeline, frame, listener)
    (error,) = listener.failures
    assert isinstance(error, DlaError)
    assert (error.call, error.status) == ('cudlaSubmitTask', 7)
    assert str(error) == ('the pixel engine: cudlaSubmitTask refused (last error: EngineTimeout)')
    assert error.__cause__ is engine.refusal
    assert listener.told == [0, 1, 2], 'frames before the refused one are finished'
    assert pipeline.is_broken
    assert pipeline.counts.total == Counts(offered, processed=3, failed=offered - 3)


def test_a_task_that_fails_on_the_stream_is_told_once(open_pipeline, engine, frame, listener):
    def fail_at_two(number):
        if number == 2:
            raise OSError('bus error')

    engine.during, engine.known = fail_at_two, EngineError('TaskStatusMismatch')
    pipeline = open_pipeline()
    offered = offer_until_failed(pipeline, frame, listener)
    (error,) = listener.failures
    assert isinstance(error, EngineError)
    assert 'OSError: bus error (TaskStatusMismatch)' in str(error)
    assert listener.told == [0, 1]
    assert pipeline.counts.total == Counts(offered, processed=2, failed=offered - 2)


def test_a_broken_pipeline_counts_what_it_is_offered_and_runs_nothing(
    open_pipeline, engine, frame, listener
):
    engine.refuse_at, engine.refusal = 0, EngineError('no')
    pipeline = open_pipeline()
    pipeline.offer(frame(0))
    wait_for_failure(listener)
    for number in range(5):
        pipeline.offer(frame(number))
    assert pipeline.drain(GENEROUS_S)
    assert engine.submitted == 1
    assert pipeline.counts.total == Counts(6, failed=6)
    pipeline.close()
    assert len(listener.failures) == 1
    assert pipeline.abandoned_slots == 0
    assert engine.log == ['bind', 'bind', 'unbind', 'unbind']


def test_frames_in_flight_and_waiting_behind_a_failure_count_as_failed(
    open_pipeline, engine, frame, listener
):
    gate = Gate()

    def fail_late(number):
        gate.wait(GENEROUS_S)
        if number == 0:
            raise OSError('gone')

    engine.during = fail_late
    pipeline = open_pipeline(slots=2)
    for number in range(3):
        pipeline.offer(frame(number))
    assert pipeline.counts.total == Counts(3, waiting=1, in_flight=2)
    gate.set()
    wait_for_failure(listener)
    assert listener.told == []
    assert pipeline.counts.total == Counts(3, failed=3)


class UnfitHead:
    num_classes = 1

    def decode(self, outputs, confidence_threshold):
        raise HeadError('outputs do not fit')


def test_what_the_head_raises_is_told_as_it_is(open_pipeline, frame, listener):
    pipeline = open_pipeline(head=UnfitHead())
    pipeline.offer(frame(0))
    wait_for_failure(listener)
    assert isinstance(listener.failures[0], HeadError)
    assert pipeline.counts.total == Counts(1, failed=1)


def test_what_a_listener_raises_is_told_as_it_is(open_pipeline, frame, listener):
    raised = LookupError('no publisher')

    def on_result(result):
        raise raised

    pipeline = open_pipeline(on_result=on_result)
    pipeline.offer(frame(0))
    wait_for_failure(listener)
    assert listener.failures == [raised]
    assert pipeline.counts.total == Counts(1, failed=1)


def test_close_finishes_what_is_in_flight_and_leaves_out_what_waits(
    open_pipeline, engine, frame, listener
):
    engine.during = lambda number: time.sleep(0.02)
    pipeline = open_pipeline(slots=2)
    for number in range(5):
        pipeline.offer(frame(number))
    pipeline.close()
    assert listener.told == [0, 1]
    assert pipeline.counts.total == Counts(5, processed=2, superseded=3)
    assert engine.log == ['bind', 'bind', 'unbind', 'unbind']


def test_a_closed_pipeline_counts_what_it_is_offered_and_closes_twice(
    open_pipeline, engine, frame, listener
):
    pipeline = open_pipeline()
    pipeline.close()
    pipeline.close()
    pipeline.offer(frame(0))
    assert pipeline.counts.total == Counts(1, failed=1)
    assert listener.told == []
    assert listener.failures == []
    assert engine.log == ['bind', 'bind', 'unbind', 'unbind']
    assert not pipeline.is_broken


def test_no_picture_is_kept_when_its_result_was_told(open_pipeline, frame):
    alive = []
    pipeline = open_pipeline(on_result=lambda result: None)

    class Picture:
        def __del__(self):
            alive.remove(self.number)

        def __init__(self, number):
            self.number = number
            alive.append(number)

        def load(self):
            return frame(self.number).load()

    for number in range(4):
        kept = Picture(number)
        pipeline.offer(frame(number, load=partial(Picture.load, kept)))
        del kept
        assert pipeline.drain(GENEROUS_S)
    deadline = time.monotonic() + GENEROUS_S
    while alive and time.monotonic() < deadline:
        time.sleep(0.001)
    assert alive == []


@pytest.mark.parametrize('slots', [1, 2])
def test_close_while_others_offer_loses_no_frame(open_pipeline, frame, slots):
    pipeline, stop = open_pipeline(slots=slots), Gate()

    def offer():
        while not stop.is_set():
            pipeline.offer(frame(1))
            time.sleep(0)

    threads = [Thread(target=offer) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.02)
    pipeline.close()
    stop.set()
    for thread in threads:
        thread.join()
    total = pipeline.counts.total
    assert total.is_balanced
    assert (total.waiting, total.in_flight) == (0, 0)
