"""The pipeline as a whole: every frame comes to its end, in order, with its own result."""

from functools import partial
from threading import Event as Gate
from threading import Lock, Thread
import time

from dla_ros.detections import Detections
from dla_ros.errors import EngineError, ImageError
from dla_ros.image import ImageView
from dla_ros.pipeline.counters import Counts
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.pipeline.thresholds import Thresholds
from dla_ros.preprocessing import Preprocessing
import numpy as np
import pytest

GENEROUS_S = 20.0


def offer_all(pipeline, frames):
    """Offer each frame when the one before is out of the mailbox, so that none is superseded."""
    for each in frames:
        pipeline.offer(each)
        while pipeline.counts.total.waiting:
            time.sleep(0.0002)


def test_a_frame_comes_out_with_its_token_its_picture_and_its_detections(
    open_pipeline, frame, listener
):
    pipeline, token = open_pipeline(), object()
    offered = frame(7, height=4, width=16)
    object.__setattr__(offered, 'token', token)
    pipeline.offer(offered)
    assert pipeline.drain(GENEROUS_S)
    (result,) = listener.results
    assert result.frame is offered
    assert result.frame.token is token
    assert result.image.height_width == (4, 16)
    assert result.detections.class_ids.tolist() == [7]
    # 4 x 16 in 8 x 8: scaled by a half, so the network's rectangle is more than the picture
    assert result.detections.xyxy.tolist() == [[0, 0, 16, 4]]


@pytest.mark.parametrize('slots', [1, 2, 3])
def test_results_keep_the_order_of_the_frames(open_pipeline, frame, listener, slots):
    pipeline = open_pipeline(slots=slots)
    offer_all(pipeline, [frame(number) for number in range(200)])
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == list(range(200))
    assert listener.pixels == list(range(200))
    assert pipeline.counts.total == Counts(received=200, processed=200)


def test_nothing_is_reused_while_it_is_in_use(open_pipeline, engine, frame, listener):
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


@pytest.mark.parametrize('slots', [1, 2, 3])
def test_no_more_frames_are_in_flight_than_slots(open_pipeline, engine, frame, slots):
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


def test_offering_does_not_wait_while_another_thread_submits(open_pipeline, engine, frame):
    inside, gate, submit = Gate(), Gate(), engine.submit

    def submit_slowly(binding):
        inside.set()
        gate.wait(GENEROUS_S)
        submit(binding)

    engine.submit = submit_slowly
    pipeline = open_pipeline(slots=2)
    first = Thread(target=pipeline.offer, args=(frame(0),))
    first.start()
    assert inside.wait(GENEROUS_S)
    pipeline.offer(frame(1))
    assert pipeline.counts.total == Counts(2, waiting=1, in_flight=1)
    gate.set()
    first.join()
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


def test_an_invalid_image_is_told_in_order_and_harms_no_other(open_pipeline, frame, listener):
    def broken():
        raise ImageError('the picture is cut off')

    pipeline = open_pipeline()
    offer_all(
        pipeline,
        [frame(number, load=broken if number in {2, 3, 9} else None) for number in range(12)],
    )
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == list(range(12))
    assert [each.token for each, _ in listener.invalid] == [2, 3, 9]
    assert str(listener.invalid[0][1]) == 'the picture is cut off'
    assert listener.pixels == [0, 1, 4, 5, 6, 7, 8, 10, 11]
    assert listener.failures == []
    assert pipeline.counts.total == Counts(12, processed=9, invalid=3)


def test_images_may_change_size_and_encoding_in_mid_stream(open_pipeline, frame, listener):
    changes = [
        ('rgb8', 8, 8), ('mono8', 1, 1), ('bgr8', 30, 7), ('rgba8', 7, 30), ('rgb8', 8, 8),
        ('mono8', 480, 640), ('bgr8', 10, 40), ('rgb8', 8, 8),
    ]  # fmt: skip
    pipeline = open_pipeline(slots=2)
    offer_all(
        pipeline,
        [
            frame(number, load=partial(one_colour, 20 + number, *change))
            for number, change in enumerate(changes)
        ],
    )
    assert pipeline.drain(GENEROUS_S)
    assert listener.pixels == [20 + number for number in range(len(changes))]
    for result, (encoding, height, width) in zip(listener.results, changes, strict=True):
        assert result.image.encoding == encoding
        assert result.detections.xyxy.tolist() == [[0, 0, width, height]]


def one_colour(pixel, encoding, height, width):
    channels = {'mono8': (), 'rgb8': (3,), 'bgr8': (3,), 'rgba8': (4,)}[encoding]
    plane = np.full((height, width, *channels), pixel, np.uint8)
    return ImageView(encoding, height, width, (plane,))


def test_timings_add_up(open_pipeline, frame, listener):
    pipeline = open_pipeline()
    pipeline.offer(frame(1))
    pipeline.drain(GENEROUS_S)
    timings = listener.results[0].timings
    parts = (timings.preprocess_ms, timings.inference_ms, timings.postprocess_ms)
    assert min(parts) > 0
    assert timings.total_ms >= sum(parts)


class ManyBoxes:
    """Give three boxes of falling score, the second nearly over the first."""

    num_classes = 1

    def decode(self, outputs, confidence_threshold):
        boxes = np.array([[0, 0, 4, 4], [0, 0, 4, 3.5], [5, 5, 8, 8]], np.float32)
        scores = np.array([0.9, 0.8, 0.5], np.float32)
        found = Detections(boxes, scores, np.zeros(3, np.int32))
        return found.select(scores >= np.float32(confidence_threshold))


def test_thresholds_change_live(open_pipeline, frame, listener):
    pipeline = open_pipeline(head=ManyBoxes(), thresholds=Thresholds(0.1, 0.5, 10))
    for number, thresholds in enumerate(
        [None, Thresholds(0.6, 0.5, 10), Thresholds(0.1, 1.0, 10), Thresholds(0.1, 1.0, 1)]
    ):
        pipeline.thresholds = thresholds or pipeline.thresholds
        pipeline.offer(frame(number))
        assert pipeline.drain(GENEROUS_S)
    scores = [[round(float(s), 1) for s in each.detections.scores] for each in listener.results]
    assert scores == [[0.9, 0.5], [0.9], [0.9, 0.8, 0.5], [0.9]]


def test_drain_tells_that_time_ran_out(open_pipeline, engine, frame):
    gate = Gate()
    engine.during = lambda number: gate.wait(GENEROUS_S)
    pipeline = open_pipeline()
    pipeline.offer(frame(0))
    assert not pipeline.drain(0.01)
    gate.set()
    assert pipeline.drain(GENEROUS_S)


@pytest.mark.parametrize('verb', ['close', 'drain'])
def test_a_listener_cannot_wait_for_its_own_thread(open_pipeline, frame, listener, verb):
    pipeline = open_pipeline(on_result=lambda result: getattr(pipeline, verb)())
    pipeline.offer(frame(0))
    assert listener.failed.wait(GENEROUS_S)
    assert f'cannot {verb} the pipeline' in str(listener.failures[0])


def test_a_pipeline_needs_a_slot_and_an_engine_with_one_input(open_pipeline, engine):
    with pytest.raises(ValueError, match='use 1 or more'):
        open_pipeline(slots=0)
    engine.inputs *= 2
    with pytest.raises(EngineError, match=r'2 inputs \(images 1x3x8x8'):
        open_pipeline()


def test_what_was_taken_is_given_back_if_opening_fails(engine, device, listener):
    bind, refused = engine.bind, EngineError('no more handles')

    def bind_once(stream):
        if engine.log:
            raise refused
        return bind(stream)

    engine.bind = bind_once
    with pytest.raises(EngineError, match='no more handles'):
        Pipeline.open(
            engine, device, None, Preprocessing(),
            on_result=None, on_invalid=None, on_failure=None, slots=2,
        )  # fmt: skip
    assert engine.log == ['bind', 'unbind']
