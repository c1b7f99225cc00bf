"""Frames to slots: at once, in turn, the newest first, none lost."""

from threading import Event as Gate
from threading import Lock, Thread
import time

from dla_ros.errors import ImageError
from dla_ros.pipeline.counters import Counts
import pytest

GENEROUS_S = 20.0


@pytest.mark.parametrize('slots', [1, 2, 3])
def test_no_more_frames_are_in_flight_than_slots(open_pipeline, engine, frame, slots, offer_all):
    lock, now, most = Lock(), [0], [0]
    reached = Gate()

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
    pipeline = open_pipeline(slots=slots)
    offer_all(pipeline, [frame(number) for number in range(slots)])
    for number in range(20):
        pipeline.offer(frame(number, source=f'camera {number}'))
    assert pipeline.drain(GENEROUS_S)
    assert most[0] == slots


def test_offering_never_waits_for_the_engine(open_pipeline, engine, frame, listener):
    gate = Gate()
    engine.during = lambda number: gate.wait(GENEROUS_S)
    pipeline = open_pipeline(slots=2)
    for number in range(100):
        pipeline.offer(frame(number))
    assert pipeline.counts.total == Counts(100, waiting=1, in_flight=2, superseded=97)
    gate.set()
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == [0, 1, 99], 'the newest frame is the one that is processed'
    assert pipeline.counts.total == Counts(100, processed=3, superseded=97)


def test_offering_does_not_wait_while_another_frame_is_submitted(open_pipeline, engine, frame):
    inside, gate, submit = Gate(), Gate(), engine.submit

    def submit_slowly(binding):
        inside.set()
        gate.wait(GENEROUS_S)
        submit(binding)

    engine.submit = submit_slowly
    pipeline = open_pipeline(slots=2)
    pipeline.offer(frame(0))
    assert inside.wait(GENEROUS_S)
    pipeline.offer(frame(1))
    assert pipeline.counts.total == Counts(2, in_flight=2)
    gate.set()
    assert pipeline.drain(GENEROUS_S), 'the submitting thread takes the other frame along'
    assert pipeline.counts.total == Counts(2, processed=2)


def test_sources_take_turns(open_pipeline, engine, frame, listener):
    gate = Gate()
    engine.during = lambda number: gate.wait(GENEROUS_S)
    pipeline = open_pipeline(slots=1)
    pipeline.offer(frame(0, source='first'))
    for number in range(1, 5):
        pipeline.offer(frame(number, source='fast'))
        pipeline.offer(frame(10 + number, source='slow'))
    gate.set()
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == [0, 4, 14]
    now = pipeline.counts
    assert now.of('fast') == now.of('slow') == Counts(4, processed=1, superseded=3)


def test_counts_balance_at_every_moment_and_equal_what_was_told(open_pipeline, frame, listener):
    pipeline, offers = open_pipeline(), 300

    def broken():
        raise ImageError('no picture')

    def offer(source):
        for number in range(offers):
            load = broken if number % 7 == 3 else None
            pipeline.offer(frame(number, source=source, load=load))
            time.sleep(0)

    threads = [Thread(target=offer, args=(name,)) for name in ('left', 'right', 'rear')]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert pipeline.counts.total.is_balanced
        threads[0].join(0.001)
    assert pipeline.drain(GENEROUS_S)
    total = pipeline.counts.total
    assert total.is_balanced
    assert total.received == 3 * offers
    assert (total.waiting, total.in_flight, total.failed) == (0, 0, 0)
    assert total.processed == len(listener.results)
    assert total.invalid == len(listener.invalid)
