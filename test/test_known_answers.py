"""
Pictures whose boxes are known, all the way through: message, preprocessing, network, head, NMS.

Boxes must come back exactly, in source pixels, for every encoding, layout, type and engine.
"""

from dla_ros.devices.host.device import HostDevice
from dla_ros.encodings import ENCODINGS
from dla_ros.engines.onnx import OnnxEngine
from dla_ros.heads.nms import non_maximum_suppression
from dla_ros.heads.registry import open_head
from dla_ros.image import to_image_view
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.colours import CLASSES, is_seen_in_grey
from dla_ros.scene.encode import encode
from dla_ros.scene.scene import Scene
from dla_ros.tensors.unpack import unpack
import numpy as np
import pytest

STRIDE = 8
NETWORK = (232, 320)
# Source sizes with a whole number of source pixels to a cell: as large as the network's picture,
# larger (scaled down by 2 and 5), smaller (scaled up); letterboxed by a cell above and below.
SOURCES = {'same size': 1, 'scaled by 1/2': 2, 'scaled by 1/5': 5}
GREY = {'mono8', 'mono16', '8UC1'}


class Chain:
    """Everything from an image message to boxes, one frame at a time."""

    def __init__(self, engine, device, record):
        self.engine, self.record = engine, record
        self.stream = device.open_stream()
        self.binding = engine.bind(self.stream)
        self.preprocessor = HostPreprocessor.open(record.preprocessing, engine.inputs[0])
        self.head = open_head(
            record.head.name, engine.inputs[0], engine.outputs, record.head.options
        )

    def detect(self, picture, encoding, pad=0):
        height, width = picture.shape[:2]
        data, step = encode(picture, encoding, pad)
        view = to_image_view(data, height=height, width=width, encoding=encoding, step=step)
        letterbox = self.preprocessor.prepare(view, self.binding.inputs[0].host)
        self.engine.submit(self.binding)
        self.stream.synchronize()
        outputs = [
            unpack(spec, buffer.host)
            for spec, buffer in zip(self.engine.outputs, self.binding.outputs, strict=True)
        ]
        best = non_maximum_suppression(self.head.decode(outputs, 0.4), 0.6, 100)
        return letterbox.detections_to_source(best)

    def close(self):
        self.stream.synchronize()
        self.binding.close()
        self.stream.close()
        self.engine.close()


@pytest.fixture(scope='module')
def model(tmp_path_factory):
    """Give the path of the shape detector, its record beside it."""
    path = tmp_path_factory.mktemp('known') / 'shapes.onnx'
    write_shape_detector(path, NETWORK, stride=STRIDE)
    return path


@pytest.fixture(scope='module')
def chain(model):
    with HostDevice.open() as device:
        record = write_shape_detector(model, NETWORK, stride=STRIDE)
        opened = Chain(OnnxEngine.open(model, device, threads=1), device, record)
        yield opened
        opened.close()


def rows(found):
    return sorted(
        (int(class_id), *box)
        for box, class_id in zip(found.xyxy.tolist(), found.class_ids, strict=True)
    )


def expected(truth, encoding):
    """Give what is to be found: a grey picture shows white alone."""
    labels = list(CLASSES)
    return [row for row in rows(truth) if encoding not in GREY or is_seen_in_grey(labels[row[0]])]


@pytest.mark.parametrize('scale', SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize('encoding', ENCODINGS)
def test_the_boxes_are_known(chain, encoding, scale):
    scene = Scene.open(17, (216 * scale, 320 * scale), cell=STRIDE * scale)
    for index in range(2):
        picture, truth = scene.frame(index)
        wanted = expected(truth, encoding)
        assert wanted
        assert rows(chain.detect(picture, encoding, pad=8)) == wanted


def test_many_scenes_are_known(chain):
    for seed in range(20):
        picture, truth = Scene.open(seed, (432, 640), cell=16).frame(seed)
        assert rows(chain.detect(picture, 'bgr8')) == rows(truth)
