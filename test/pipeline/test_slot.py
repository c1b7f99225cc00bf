"""Slots: nothing is used again before it was read, and two of them overlap."""

from threading import Event as Gate
import time

GENEROUS_S = 20.0


def test_nothing_is_reused_while_it_is_in_use(open_pipeline, engine, frame, listener, offer_all):
    """
    Run slow tasks on the asynchronous streams: each result must be of its own frame.

    Tried once with Slot.wait waiting for the input in place of the outputs: the events refused to
    measure to a place not reached, so the pipeline failed at once. With the times left out too,
    the first two results told pixel 0, of zeroed outputs, and each later one the pixel of two
    frames before: 0 of 40 were right.
    """
    engine.during = lambda number: time.sleep(0.002)
    pipeline = open_pipeline(slots=2)
    offer_all(pipeline, [frame(100 + number) for number in range(40)])
    assert pipeline.drain(GENEROUS_S)
    assert listener.failures == []
    assert listener.pixels == [100 + number for number in range(40)]


def test_a_slot_is_free_only_when_its_outputs_were_read(open_pipeline, engine, frame, listener):
    """
    Read slowly: the next frame of the slot must not have run before the reading ended.

    Tried once with the slot freed before ``take``: frame 0 was told the pixel of frame 1.
    """
    pipeline, read = open_pipeline(slots=1), []
    slot = pipeline._slots[0]
    take = slot.take

    def take_slowly():
        time.sleep(0.02)
        outcome = take()
        read.append((int(outcome.outputs[0][0, 0, 0, 0]), engine.submitted))
        return outcome

    slot.take = take_slowly
    pipeline.offer(frame(50))
    pipeline.offer(frame(51))
    assert pipeline.drain(GENEROUS_S)
    assert read == [(50, 1), (51, 2)]


def test_two_slots_overlap(open_pipeline, engine, frame):
    """Let the task of frame 0 wait until frame 1 is being prepared: with one slot it never is."""
    begun, seen = Gate(), []

    def load(picture):
        begun.set()
        return picture

    engine.during = lambda number: seen.append(begun.wait(GENEROUS_S)) if number == 0 else None
    pipeline = open_pipeline(slots=2)
    pipeline.offer(frame(0))
    second = frame(1)
    pipeline.offer(frame(1, load=lambda: load(second.load())))
    assert pipeline.drain(GENEROUS_S)
    assert seen == [True]
