"""
Pictures whose boxes are known, all the way through: message, preprocessing, network, head, NMS.

Boxes must come back exactly, in source pixels, for every encoding, layout, type and engine.
"""

from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator import start
from dla_ros.emulator.build import emulate
from dla_ros.engines.cudla.engine import CudlaEngine
from dla_ros.engines.onnx import OnnxEngine
from dla_ros.heads.nms import non_maximum_suppression
from dla_ros.heads.registry import open_head
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import to_image_view
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.colours import CLASSES, is_seen_in_grey
from dla_ros.scene.encode import encode
from dla_ros.scene.scene import Scene
from dla_ros.tensors.packing import unpack
import pytest

STRIDE = 8
NETWORK = (232, 320)
# Source sizes with a whole number of source pixels to a cell: as large as the network's picture,
# or larger; letterboxed by a cell above and below.
SOURCES = {'same size': 1, 'scaled by 1/2': 2, 'scaled by 1/3': 3}
GREY = {'mono8', 'mono16', '8UC1'}


class Chain:
    """Everything from an image message to boxes, one frame at a time."""

    def __init__(self, engine, record, device):
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


# Each engine with the types and layouts that its tensors can have: input, outputs. What a DLA
# takes as an image (dla_hwc4) only goes in.
ENGINES = {
    'onnx fp32:linear': None,
    'dla fp16:chw16': ('fp16:chw16', 'fp16:chw16'),
    'dla fp16:dla_linear': ('fp16:dla_linear', 'fp16:dla_linear'),
    'dla fp16:dla_hwc4': ('fp16:dla_hwc4', 'fp16:chw16'),
    'dla int8:chw32': ('int8:chw32', 'int8:chw32'),
    'dla int8:dla_linear': ('int8:dla_linear', 'int8:dla_linear'),
    'dla int8:dla_hwc4': ('int8:dla_hwc4', 'int8:chw32'),
}


def open_engine(folder, formats, device, encoding='rgb8'):
    """Give the shape detector on the emulated DLA, or where formats is None by ONNX Runtime."""
    model = folder / 'shapes.onnx'
    record = write_shape_detector(model, NETWORK, stride=STRIDE, encoding=encoding)
    if formats is None:
        return OnnxEngine.open(model, device, threads=1), record
    loadable = folder / 'shapes.dla'
    made = emulate(model, loadable, input_format=formats[0], output_format=formats[1])
    start()
    return CudlaEngine.open(loadable, device, is_emulated=True, scales=made.scales), made


@pytest.fixture(scope='module', params=ENGINES.values(), ids=ENGINES)
def chain(request, tmp_path_factory):
    with HostDevice.open() as device:
        folder = tmp_path_factory.mktemp('known')
        opened = Chain(*open_engine(folder, request.param, device), device)
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


@pytest.mark.parametrize('formats', ENGINES.values(), ids=ENGINES)
@pytest.mark.parametrize('encoding', ['bgr8', 'mono8'])
def test_a_network_for_blue_first_or_for_grey_finds_the_same(tmp_path, encoding, formats):
    picture, truth = Scene.open(23, (432, 640), cell=16).frame(4)
    with HostDevice.open() as device:
        opened = Chain(*open_engine(tmp_path, formats, device, encoding), device)
        found = rows(opened.detect(picture, 'rgba8', pad=4))
        opened.close()
    assert found == expected(truth, encoding)
    assert found
