"""The whole chain on a GPU's streams, the emulated DLA in their midst: boxes that are known."""

from functools import partial
from threading import Event as Gate
import time

from cuda.bindings import runtime
from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.emulator import EmulatorOptions, running, start
from dla_ros.emulator.build import emulate
from dla_ros.errors import EngineError, EngineHangError, ImageError
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import to_image_view
from dla_ros.pipeline.frame import Frame
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.colours import CLASSES, is_seen_in_grey
from dla_ros.scene.encode import encode
from dla_ros.scene.scene import Scene
import pytest

GENEROUS_S = 30.0
NETWORK = (160, 160)
FORMATS = {
    'fp16:chw16': ('fp16:chw16', 'fp16:chw16'),
    'fp16:dla_hwc4': ('fp16:dla_hwc4', 'fp16:chw16'),
    'int8:chw32': ('int8:chw32', 'int8:chw32'),
    'int8:dla_linear': ('int8:dla_linear', 'int8:dla_linear'),
}
GREY = {'mono8', 'mono16', '8UC1'}


class Told:
    def __init__(self):
        self.results, self.invalid, self.failures, self.failed = [], [], [], Gate()

    def fail(self, error):
        self.failures.append(error)
        self.failed.set()


@pytest.fixture
def told():
    return Told()


@pytest.fixture
def open_detector(gpu, told, tmp_path):
    """Give the opener of a detector on the GPU; it is closed after, and nothing is left open."""
    opened = []

    def open_one(formats=FORMATS['fp16:chw16'], **values):
        model, loadable = tmp_path / 'shapes.onnx', tmp_path / 'shapes.dla'
        write_shape_detector(model, NETWORK)
        emulate(model, loadable, input_format=formats[0], output_format=formats[1])
        config = DetectorConfig(
            engine_file_path=str(loadable), device='cuda', dla_device='emulator',
            nms_threshold=0.6, **values,
        )  # fmt: skip
        detector = Detector.open(
            config, on_result=told.results.append, on_failure=told.fail,
            on_invalid=lambda frame, error: told.invalid.append((frame, error)),
        )  # fmt: skip
        opened.append(detector)
        return detector

    yield open_one
    for detector in opened:
        detector.close()
    start(EmulatorOptions())
    assert running().report().registrations == 0 or opened[-1].abandoned_slots


def load(index, encoding='rgb8', pad=0):
    scale = 1 + index % 2
    picture, _ = Scene.open(index // 10, (144 * scale, 160 * scale), cell=8 * scale).frame(index)
    data, step = encode(picture, encoding, pad)
    height, width = picture.shape[:2]
    return to_image_view(data, height=height, width=width, encoding=encoding, step=step)


def truth(index, encoding='rgb8'):
    scale = 1 + index % 2
    found = Scene.open(index // 10, (144 * scale, 160 * scale), cell=8 * scale).truth(index)
    return [row for row in rows(found) if encoding not in GREY or is_seen(row[0])]


def is_seen(class_id):
    return is_seen_in_grey(list(CLASSES)[class_id])


def rows(found):
    return sorted(
        (int(class_id), *box)
        for box, class_id in zip(found.xyxy.tolist(), found.class_ids, strict=True)
    )


def run(detector, told, frames):
    for number, load_one in enumerate(frames):
        detector.offer(Frame('camera', number, load_one))
        while detector.counts.total.waiting and not told.failed.is_set():
            time.sleep(0.0005)
    assert detector.drain(GENEROUS_S)


@pytest.mark.parametrize('formats', FORMATS.values(), ids=FORMATS)
def test_every_encoding_gives_the_known_boxes(open_detector, told, formats):
    detector = open_detector(formats, slots=3)
    cases = [(index, encoding) for encoding in ENCODINGS for index in (4, 5)]
    run(detector, told, [partial(load, index, encoding, pad=8) for index, encoding in cases])
    assert told.failures == []
    for (index, encoding), result in zip(cases, told.results, strict=True):
        assert rows(result.detections) == truth(index, encoding)


def test_many_frames_in_flight_leave_the_gpus_memory_flat(open_detector, told):
    detector = open_detector(slots=3)
    run(detector, told, [partial(load, index) for index in range(20)])
    free = runtime.cudaMemGetInfo()[1]
    run(detector, told, [partial(load, index) for index in range(100)])
    assert runtime.cudaMemGetInfo()[1] == free
    assert [rows(each.detections) for each in told.results[20:]] == [truth(i) for i in range(100)]


def test_a_picture_that_cannot_be_read_is_told_and_the_next_one_is_found(open_detector, told):
    def broken():
        raise ImageError('half a picture')

    detector = open_detector()
    run(detector, told, [partial(load, 0), broken, partial(load, 1)])
    assert [rows(each.detections) for each in told.results] == [truth(0), truth(1)]
    assert [str(error) for _, error in told.invalid] == ['half a picture']
    assert told.failures == []


def test_a_task_that_fails_is_told_and_another_detector_can_be_opened(open_detector, told):
    detector = open_detector(dla_emulator_options='fail=task:2:0x40000004', slots=1)
    for index in range(4):
        detector.offer(Frame('camera', index, partial(load, index)))
        time.sleep(0.05)
    assert told.failed.wait(GENEROUS_S)
    assert isinstance(told.failures[0], EngineError)
    assert 'BUSY' in str(told.failures[0])
    detector.close()
    told.failed.clear()
    again = open_detector(dla_emulator_options='task_ms=0')
    run(again, told, [partial(load, 3)])
    assert rows(told.results[-1].detections) == truth(3)


def test_a_hung_task_is_told_in_time(open_detector, told):
    detector = open_detector(dla_emulator_options='hang=submit:1', task_timeout_ms=300)
    detector.offer(Frame('camera', 0, partial(load, 0)))
    assert told.failed.wait(GENEROUS_S)
    # The emulated firmware gives up at the same time as the watchdog.
    assert isinstance(told.failures[0], (EngineHangError, EngineError))


def test_a_picture_that_takes_long_to_load_does_not_hold_up_who_offers_it(open_detector, told):
    gate, detector = Gate(), open_detector(task_timeout_ms=20_000)

    def slow():
        assert gate.wait(GENEROUS_S)
        return load(0)

    detector.offer(Frame('slow', 0, slow))
    detector.offer(Frame('quick', 1, partial(load, 1)))
    assert told.results == []
    gate.set()
    assert detector.drain(GENEROUS_S)
    assert [rows(each.detections) for each in told.results] == [truth(0), truth(1)]
