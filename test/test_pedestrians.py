"""A real network on real pictures: people on a path, as NanoDet finds them."""

from pathlib import Path

from dla_ros.bags.read import read_images
from dla_ros.devices.host.device import HostDevice
from dla_ros.engines.onnx import OnnxEngine
from dla_ros.heads.nms import non_maximum_suppression
from dla_ros.heads.registry import open_head
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.record.record import DeploymentRecord
from dla_ros.tensors.packing import unpack
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / 'models' / 'nanodet_g_416.onnx'
BAG = ROOT / 'data' / 'pedestrians'
PERSON = 0
# Looked at by eye in the last frame: who walks where, left to right (pixels of 768 x 576).
LAST = [
    [374, 180, 402, 256],
    [443, 181, 470, 252],
    [523, 221, 558, 311],
    [569, 219, 599, 308],
    [699, 265, 730, 378],
]


@pytest.fixture(scope='module')
def found():
    """Give the detections of the first, a middle and the last frame, in pixels of the frame."""
    record = DeploymentRecord.beside(MODEL)
    images = list(read_images(BAG))
    with HostDevice.open() as device:
        engine, stream = OnnxEngine.open(MODEL, device), device.open_stream()
        binding = engine.bind(stream)
        head = open_head('nanodet', engine.inputs[0], engine.outputs, record.head.options)
        preprocessor = HostPreprocessor.open(record.preprocessing, engine.inputs[0])
        result = {}
        for number in (0, 24, 47):
            letterbox = preprocessor.prepare(images[number].view, binding.inputs[0].host)
            engine.submit(binding)
            stream.synchronize()
            outputs = [
                unpack(spec, buffer.host)
                for spec, buffer in zip(engine.outputs, binding.outputs, strict=True)
            ]
            best = non_maximum_suppression(head.decode(outputs, 0.4), 0.6, 100)
            result[number] = letterbox.detections_to_source(best)
        binding.close()
        stream.close()
        engine.close()
    return result


@pytest.mark.parametrize(('number', 'people'), [(0, 3), (24, 6), (47, 5)])
def test_people_are_counted(found, number, people):
    # One more or less may come from another version of OpenCV or ONNX Runtime.
    assert abs(int((found[number].class_ids == PERSON).sum()) - people) <= 1


def test_people_are_boxed_where_they_walk(found):
    is_person = found[47].class_ids == PERSON
    boxes = found[47].xyxy[is_person]
    boxes = boxes[np.argsort(boxes[:, 0])]
    np.testing.assert_allclose(boxes, LAST, atol=3)
    assert (found[47].scores[is_person] > 0.6).all()


def test_the_parked_vehicles_are_found_too(found):
    labels = DeploymentRecord.beside(MODEL).labels
    assert {labels[i] for i in found[47].class_ids} <= {'person', 'car', 'truck'}
    assert 'car' in {labels[i] for i in found[47].class_ids}
