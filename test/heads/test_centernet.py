from dla_ros.errors import HeadError
from dla_ros.heads.centernet import CenterNet
import numpy as np
import pytest


def encode(height_width, stride, classes, objects):
    """Draw a small hill of logits for each (box, class, score), with size and shift at its top."""
    rows, columns = (size // stride for size in height_width)
    heatmap = np.full((1, classes, rows, columns), -20, np.float32)
    size = np.zeros((1, 2, rows, columns), np.float32)
    shift = np.zeros((1, 2, rows, columns), np.float32)
    for box, class_id, score in objects:
        x, y = (box[0] + box[2]) / 2 / stride, (box[1] + box[3]) / 2 / stride
        row, column = int(y), int(x)
        top = np.log(score / (1 - score))
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if 0 <= row + dy < rows and 0 <= column + dx < columns:
                    value = top - 0.1 * (abs(dy) + abs(dx))
                    place = heatmap[0, class_id, row + dy, column + dx]
                    heatmap[0, class_id, row + dy, column + dx] = max(place, value)
        size[0, :, row, column] = (box[2] - box[0]) / stride, (box[3] - box[1]) / stride
        shift[0, :, row, column] = x - column, y - row
    return heatmap, size, shift


OBJECTS = [((10, 12, 35, 48.5), 0, 0.9), ((0, 0, 8, 8), 0, 0.8), ((80, 2, 96, 63), 2, 0.6)]


@pytest.mark.parametrize(
    ('height_width', 'stride', 'classes'),
    [((64, 96), 4, 3), ((512, 512), 4, 80), ((64, 96), 8, 3)],
)
def test_boxes_come_back_as_they_were_encoded(
    spec, specs, is_found, height_width, stride, classes
):
    arrays = encode(height_width, stride, classes, OBJECTS)
    outputs = specs([array.shape for array in arrays])
    head = CenterNet.open(spec('in', (1, 3, *height_width)), outputs, {})
    assert head.num_classes == classes
    assert is_found(head.decode(arrays, 0.5), OBJECTS)


def test_peaks_in_every_corner_are_found(spec, specs):
    heatmap = np.full((1, 1, 8, 8), -5, np.float32)
    heatmap[0, 0, [0, 0, 7, 7], [0, 7, 0, 7]] = 3
    size, shift = np.ones((1, 2, 8, 8), np.float32), np.zeros((1, 2, 8, 8), np.float32)
    outputs = specs([heatmap.shape, size.shape, shift.shape])
    head = CenterNet.open(spec('in', (1, 3, 32, 32)), outputs, {})
    assert len(head.decode([heatmap, size, shift], 0.5)) == 4


def test_a_peak_of_one_class_does_not_hide_another_class_beside_it(spec, specs):
    heatmap = np.full((1, 2, 8, 8), -5, np.float32)
    heatmap[0, 0, 3, 3], heatmap[0, 1, 3, 4] = 3, 2
    size, shift = np.ones((1, 2, 8, 8), np.float32), np.zeros((1, 2, 8, 8), np.float32)
    outputs = specs([heatmap.shape, size.shape, shift.shape])
    head = CenterNet.open(spec('in', (1, 3, 32, 32)), outputs, {})
    assert sorted(head.decode([heatmap, size, shift], 0.5).class_ids) == [0, 1]


def test_outputs_in_another_order_are_told_by_their_names(spec, is_found):
    heatmap, size, shift = encode((64, 96), 4, 3, OBJECTS)
    outputs = (spec('reg', shift.shape), spec('hm', heatmap.shape), spec('wh', size.shape))
    options = {'outputs': ['hm', 'wh', 'reg']}
    head = CenterNet.open(spec('in', (1, 3, 64, 96)), outputs, options)
    assert is_found(head.decode([shift, heatmap, size], 0.5), OBJECTS)


def test_names_that_the_network_does_not_have_are_refused(spec, specs):
    outputs = specs([(1, 3, 16, 16), (1, 2, 16, 16), (1, 2, 16, 16)])
    with pytest.raises(HeadError, match=r"names \['hm', 'wh', 'reg'\], the network has \['out0'"):
        CenterNet.open(spec('in', (1, 3, 64, 64)), outputs, {'outputs': ['hm', 'wh', 'reg']})


def test_outputs_on_different_grids_are_refused(spec, specs):
    outputs = specs([(1, 3, 16, 16), (1, 2, 8, 8), (1, 2, 16, 16)])
    with pytest.raises(HeadError, match='on one grid'):
        CenterNet.open(spec('in', (1, 3, 64, 64)), outputs, {})
