"""
A network that tells one pixel of its input, on host streams, so that each result names its frame.

It stands in for no hardware: what the pipeline does with any engine is tested with it, and with
the emulated DLA in test_on_the_dla.py.
"""

from functools import partial
from threading import Event as Gate
import time

from dla_ros.detections import Detections
from dla_ros.devices.host.device import HostDevice
from dla_ros.images.image import ImageView
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest

GENEROUS_S = 20.0
PLAIN = Preprocessing(mean=(0.0, 0.0, 0.0), std=(1.0, 1.0, 1.0))


class PixelBinding:
    def __init__(self, engine, stream):
        self.engine, self.stream = engine, stream
        self.inputs = tuple(engine.device.allocate(spec.size) for spec in engine.inputs)
        self.outputs = tuple(engine.device.allocate(spec.size) for spec in engine.outputs)
        engine.log.append('bind')

    def close(self):
        for buffer in (*self.inputs, *self.outputs):
            buffer.close()
        self.engine.log.append('unbind')


class PixelEngine:
    """Give the red of the middle pixel; ``during`` is called on the stream before, in a task."""

    backend = 'onnx'
    placement = 'the pixel engine'
    is_emulated = True

    def __init__(self, device):
        self.device = device
        self.inputs = (lay_out('images', (1, 3, 8, 8), DataType.FP32, Layout.LINEAR),)
        self.outputs = (lay_out('pixel', (1, 1, 1, 1), DataType.FP32, Layout.LINEAR),)
        self.during = lambda number: None
        self.refuse_at = None
        self.known = None
        self.submitted = 0
        self.log = []

    def bind(self, stream):
        return PixelBinding(self, stream)

    def submit(self, binding):
        number, self.submitted = self.submitted, self.submitted + 1
        if number == self.refuse_at:
            raise self.refusal
        binding.stream.enqueue(partial(self._run, binding, number))

    def _run(self, binding, number):
        self.during(number)
        pixels = binding.inputs[0].host.view(np.float32).reshape(3, 8, 8)
        binding.outputs[0].host.view(np.float32)[0] = pixels[0, 4, 4]

    def last_error(self):
        return self.known

    def close(self):
        pass


class PixelHead:
    """Give one box over the whole network input, whose class is the pixel."""

    num_classes = 256

    def decode(self, outputs, confidence_threshold):
        pixel = int(outputs[0][0, 0, 0, 0])
        return Detections(
            np.array([[0, 0, 8, 8]], np.float32),
            np.array([0.9], np.float32),
            np.array([pixel], np.int32),
        )


class Listener:
    """Remember all that a pipeline tells, in order."""

    def __init__(self):
        self.told = []
        self.results = []
        self.invalid = []
        self.failures = []
        self.failed = Gate()

    def on_result(self, result):
        self.results.append(result)
        self.told.append(result.frame.token)

    def on_invalid(self, frame, error):
        self.invalid.append((frame, error))
        self.told.append(frame.token)

    def on_failure(self, error):
        self.failures.append(error)
        self.failed.set()

    @property
    def pixels(self):
        return [int(result.detections.class_ids[0]) for result in self.results]


def picture(pixel, height=8, width=8):
    return ImageView('rgb8', height, width, (np.full((height, width, 3), pixel, np.uint8),))


def make_frame(number, source='camera', load=None, **size):
    return Frame(source, number, load or partial(picture, number % 256, **size))


@pytest.fixture
def frame():
    """Give the maker of frames: a picture of one colour, which is also the token."""
    return make_frame


@pytest.fixture
def offer_all():
    """Give what offers each frame when the one before is taken, so that none is superseded."""

    def offer(pipeline, frames):
        for each in frames:
            pipeline.offer(each)
            while pipeline.counts.total.waiting:
                time.sleep(0.0002)

    return offer


@pytest.fixture
def device():
    with HostDevice.open() as opened:
        yield opened


@pytest.fixture
def engine(device):
    return PixelEngine(device)


@pytest.fixture
def listener():
    return Listener()


@pytest.fixture
def open_pipeline(engine, device, listener):
    """Give the opener of pipelines, which are closed after the test."""
    opened = []

    def open_one(**options):
        options = {'watchdog_s': GENEROUS_S, 'head': PixelHead(), **options}
        head = options.pop('head')
        opened.append(
            Pipeline.open(
                engine,
                device,
                head,
                PLAIN,
                on_result=options.pop('on_result', listener.on_result),
                on_invalid=options.pop('on_invalid', listener.on_invalid),
                on_failure=options.pop('on_failure', listener.on_failure),
                **options,
            )
        )
        return opened[-1]

    yield open_one
    for pipeline in opened:
        pipeline.close()
