"""The pipeline as a whole: every frame comes to its end, in order, with its own result."""

from functools import partial
from threading import Event as Gate

from dla_ros.detections import Detections
from dla_ros.errors import EngineError, ImageError
from dla_ros.images.image import ImageView
from dla_ros.pipeline.counters import Counts
from dla_ros.pipeline.frame import Thresholds
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.preprocess.preprocessing import Preprocessing
import numpy as np
import pytest

GENEROUS_S = 20.0


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
def test_results_keep_the_order_of_the_frames(open_pipeline, frame, listener, slots, offer_all):
    pipeline = open_pipeline(slots=slots)
    offer_all(pipeline, [frame(number) for number in range(200)])
    assert pipeline.drain(GENEROUS_S)
    assert listener.told == list(range(200))
    assert listener.pixels == list(range(200))
    assert pipeline.counts.total == Counts(received=200, processed=200)


def test_an_invalid_image_is_told_in_order_and_harms_no_other(
    open_pipeline, frame, listener, offer_all
):
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


def test_images_may_change_size_and_encoding_in_mid_stream(
    open_pipeline, frame, listener, offer_all
):
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
