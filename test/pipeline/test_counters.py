"""Counters: every frame at one stage, whoever looks and whenever."""

from dataclasses import FrozenInstanceError
from threading import Thread

from dla_ros.pipeline.counters import Counters, Counts, Stage
import pytest


def test_a_frame_is_counted_in_and_on_to_its_end():
    counters = Counters()
    counters.receive('left')
    assert counters.snapshot().of('left') == Counts(received=1, waiting=1)
    counters.move('left', Stage.WAITING, Stage.IN_FLIGHT)
    assert counters.snapshot().of('left') == Counts(received=1, in_flight=1)
    counters.move('left', Stage.IN_FLIGHT, Stage.PROCESSED)
    assert counters.snapshot().of('left') == Counts(received=1, processed=1)


def test_sources_are_counted_apart_and_together():
    counters = Counters()
    for source in ('left', 'right', 'right'):
        counters.receive(source)
    counters.move('right', Stage.WAITING, Stage.SUPERSEDED)
    now = counters.snapshot()
    assert now.of('left') == Counts(received=1, waiting=1)
    assert now.of('right') == Counts(received=2, waiting=1, superseded=1)
    assert now.total == Counts(received=3, waiting=2, superseded=1)
    assert now.of('rear') == Counts()


def test_a_snapshot_stays_what_it_was():
    counters = Counters()
    counters.receive('left')
    before = counters.snapshot()
    counters.receive('left')
    assert before.total.received == 1
    with pytest.raises(FrozenInstanceError):
        before.total.received = 2


def test_counts_read_as_a_table():
    assert Counts(received=2, failed=2).as_dict() == {
        'received': 2, 'waiting': 0, 'in_flight': 0, 'processed': 0, 'superseded': 0,
        'invalid': 0, 'failed': 2,
    }  # fmt: skip


def test_a_frame_lost_or_counted_twice_is_out_of_balance():
    assert Counts(received=3, processed=1, failed=2).is_balanced
    assert not Counts(received=3, processed=1).is_balanced
    assert not Counts(received=1, processed=1, invalid=1).is_balanced


def test_every_snapshot_balances_while_others_count():
    counters = Counters()

    def count():
        for _ in range(2000):
            counters.receive('left')
            counters.move('left', Stage.WAITING, Stage.IN_FLIGHT)
            counters.move('left', Stage.IN_FLIGHT, Stage.PROCESSED)

    threads = [Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert counters.snapshot().total.is_balanced
        threads[0].join(0.001)
    assert counters.snapshot().total == Counts(received=6000, processed=6000)
