import itertools

from dla_ros.errors import HeadError
from dla_ros.heads.yolov5 import YoloV5
import numpy as np
import pytest

COCO = [
    [(10, 13), (16, 30), (33, 23)],
    [(30, 61), (62, 45), (59, 119)],
    [(116, 90), (156, 198), (373, 326)],
]


def inverse_sigmoid(value):
    return float(np.log(value / (1 - value)))


def encode(height_width, classes, anchors, objects):
    """Write (box, class, objectness, class score, scale, anchor) into one map a scale."""
    outputs = []
    for scale, sizes in enumerate(anchors):
        stride = 8 << scale
        shape = (
            1,
            len(sizes) * (5 + classes),
            height_width[0] // stride,
            height_width[1] // stride,
        )
        out = np.full(shape, -30, np.float32)
        for box, class_id, objectness, class_score, own, which in objects:
            if own != scale:
                continue
            x, y = (box[0] + box[2]) / 2 / stride, (box[1] + box[3]) / 2 / stride
            row, column = int(y), int(x)
            numbers = [
                inverse_sigmoid((x - column + 0.5) / 2),
                inverse_sigmoid((y - row + 0.5) / 2),
                inverse_sigmoid(np.sqrt((box[2] - box[0]) / sizes[which][0]) / 2),
                inverse_sigmoid(np.sqrt((box[3] - box[1]) / sizes[which][1]) / 2),
                inverse_sigmoid(objectness),
            ]
            first = which * (5 + classes)
            out[0, first : first + 5, row, column] = numbers
            out[0, first + 5 + class_id, row, column] = inverse_sigmoid(class_score)
        outputs.append(out)
    return outputs


OBJECTS = [
    ((10, 12, 30, 40.5), 0, 0.9, 0.8, 0, 1),
    ((3, 4, 63, 60), 1, 0.8, 0.9, 1, 2),
    ((0, 0, 160, 128), 2, 0.95, 0.95, 2, 0),
]
EXPECTED = [(box, c, o * s) for box, c, o, s, _, _ in OBJECTS]


@pytest.mark.parametrize('order', list(itertools.permutations(range(3))))
def test_boxes_come_back_whatever_the_order_of_the_outputs(spec, specs, is_found, order):
    arrays = encode((128, 192), 3, COCO, OBJECTS)
    arrays = [arrays[place] for place in order]
    outputs = specs([array.shape for array in arrays])
    head = YoloV5.open(spec('in', (1, 3, 128, 192)), outputs, {})
    assert head.num_classes == 3
    assert is_found(head.decode(arrays, 0.5), EXPECTED)


def test_coco_sized_outputs_give_80_classes(spec, specs):
    outputs = specs([(1, 255, 80, 80), (1, 255, 40, 40), (1, 255, 20, 20)])
    assert YoloV5.open(spec('in', (1, 3, 640, 640)), outputs, {}).num_classes == 80


def test_own_anchors_are_used(spec, specs, is_found):
    anchors = [[(20, 20), (40, 40)], [(80, 60), (100, 100)]]
    objects = [((5, 5, 41, 30), 0, 0.9, 0.9, 0, 1), ((10, 10, 100, 60), 4, 0.9, 0.9, 1, 0)]
    arrays = encode((64, 128), 5, anchors, objects)
    option = [[number for size in scale for number in size] for scale in anchors]
    outputs = specs([array.shape for array in arrays])
    head = YoloV5.open(spec('in', (1, 3, 64, 128)), outputs, {'anchors': option})
    assert is_found(head.decode(arrays, 0.5), [(b, c, o * s) for b, c, o, s, _, _ in objects])


def test_other_numbers_of_outputs_are_refused(spec, specs):
    with pytest.raises(HeadError, match="'yolov5' needs 3 outputs, the network has 1"):
        YoloV5.open(spec('in', (1, 3, 640, 640)), specs([(1, 25200, 1, 85)]), {})


def test_channels_that_the_anchors_do_not_divide_are_refused(spec, specs):
    outputs = specs([(1, 256, 80, 80), (1, 256, 40, 40), (1, 256, 20, 20)])
    with pytest.raises(HeadError, match=r'256 channels .* not a multiple of its 3 anchors'):
        YoloV5.open(spec('in', (1, 3, 640, 640)), outputs, {})


@pytest.mark.parametrize('anchors', ['nonsense', [], [[1, 2, 3]], [[10, -3]], 5, [[]]])
def test_anchors_that_are_none_are_refused(spec, specs, anchors):
    with pytest.raises(HeadError, match='option anchors is'):
        YoloV5.open(spec('in', (1, 3, 64, 64)), specs([(1, 8, 8, 8)]), {'anchors': anchors})
