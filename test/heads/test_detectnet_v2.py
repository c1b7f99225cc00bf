from dla_ros.errors import HeadError
from dla_ros.heads.detectnet_v2 import DetectNetV2
import numpy as np
import pytest


def encode(height_width, stride, classes, objects, *, scale=35.0, offset=0.5):
    """Write (box, class, coverage) as TAO does: sides from the cell's point, divided by 35."""
    size = (height_width[0] // stride, height_width[1] // stride)
    coverage = np.zeros((1, classes, *size), np.float32)
    boxes = np.zeros((1, 4 * classes, *size), np.float32)
    for box, class_id, score in objects:
        column = int((box[0] + box[2]) / 2 / stride)
        row = int((box[1] + box[3]) / 2 / stride)
        x, y = (column * stride + offset) / scale, (row * stride + offset) / scale
        coverage[0, class_id, row, column] = score
        boxes[0, 4 * class_id + 0, row, column] = x - box[0] / scale
        boxes[0, 4 * class_id + 1, row, column] = y - box[1] / scale
        boxes[0, 4 * class_id + 2, row, column] = box[2] / scale - x
        boxes[0, 4 * class_id + 3, row, column] = box[3] / scale - y
    return coverage, boxes


@pytest.mark.parametrize(
    ('height_width', 'stride', 'classes'),
    [((544, 960), 16, 3), ((64, 96), 8, 1), ((128, 128), 32, 4)],
)
def test_boxes_come_back_as_they_were_encoded(
    spec, specs, is_found, height_width, stride, classes
):
    objects = [((5, 6, 40.5, 50), 0, 0.9), ((50, 1, 90, 63), classes - 1, 0.6)]
    coverage, boxes = encode(height_width, stride, classes, objects)
    for arrays in ([coverage, boxes], [boxes, coverage]):
        outputs = specs([array.shape for array in arrays])
        head = DetectNetV2.open(spec('in', (1, 3, *height_width)), outputs, {})
        assert head.num_classes == classes
        assert head.grid.stride == stride
        assert is_found(head.decode(arrays, 0.5), objects)


def test_scale_and_offset_can_be_given(spec, specs, is_found):
    objects = [((5, 6, 40.5, 50), 0, 0.9)]
    arrays = encode((64, 64), 16, 2, objects, scale=20, offset=8)
    outputs = specs([array.shape for array in arrays])
    options = {'box_scale': 20, 'box_offset': 8.0}
    head = DetectNetV2.open(spec('in', (1, 3, 64, 64)), outputs, options)
    assert is_found(head.decode(arrays, 0.5), objects)


def test_coverage_before_its_sigmoid_is_read(spec, specs, is_found):
    objects = [((5, 6, 40.5, 50), 1, 0.9)]
    coverage, boxes = encode((64, 64), 16, 2, objects)
    logits = np.where(coverage > 0, np.log(0.9 / 0.1), -20).astype(np.float32)
    outputs = specs([logits.shape, boxes.shape])
    head = DetectNetV2.open(spec('in', (1, 3, 64, 64)), outputs, {'activation': 'sigmoid'})
    assert is_found(head.decode([logits, boxes], 0.5), objects)


def test_boxes_for_another_number_of_classes_are_refused(spec, specs):
    outputs = specs([(1, 3, 34, 60), (1, 16, 34, 60)])
    with pytest.raises(HeadError, match='16 channels, needs 12'):
        DetectNetV2.open(spec('in', (1, 3, 544, 960)), outputs, {})


@pytest.mark.parametrize('value', ['wide', float('nan'), True])
def test_a_scale_that_is_no_number_is_refused(spec, specs, value):
    outputs = specs([(1, 3, 34, 60), (1, 12, 34, 60)])
    with pytest.raises(HeadError, match='option box_scale is'):
        DetectNetV2.open(spec('in', (1, 3, 544, 960)), outputs, {'box_scale': value})
