from dla_ros.errors import HeadError
from dla_ros.heads.nanodet import NanoDet
import numpy as np
import pytest

STRIDES = (8, 16, 32)


def encode(height_width, classes, reg_max, objects):
    """Write (box, class, score, stride) into logits, each side split between two whole bins."""
    outputs = []
    for stride in STRIDES:
        rows, columns = (-(-size // stride) for size in height_width)
        out = np.full((1, classes + 4 * (reg_max + 1), rows, columns), -20, np.float32)
        for box, class_id, score, own_stride in objects:
            if own_stride != stride:
                continue
            column = int((box[0] + box[2]) / 2 / stride)
            row = int((box[1] + box[3]) / 2 / stride)
            x, y = (column + 0.5) * stride, (row + 0.5) * stride
            out[0, class_id, row, column] = np.log(score / (1 - score))
            sides = (x - box[0], y - box[1], box[2] - x, box[3] - y)
            for side, pixels in enumerate(sides):
                distance = pixels / stride
                low = min(int(distance), reg_max - 1)
                share = distance - low
                first = classes + side * (reg_max + 1)
                out[0, first : first + reg_max + 1, row, column] = -60
                out[0, first + low, row, column] = np.log(max(1 - share, 1e-20))
                out[0, first + low + 1, row, column] = np.log(max(share, 1e-20))
        outputs.append(out)
    return outputs


def dims(outputs):
    return [output.shape for output in outputs]


@pytest.mark.parametrize(
    ('height_width', 'classes', 'reg_max'),
    [((416, 416), 80, 10), ((320, 544), 3, 7), ((64, 96), 1, 7)],
)
def test_boxes_come_back_as_they_were_encoded(
    spec, specs, is_found, height_width, classes, reg_max
):
    objects = [
        ((10.5, 20.25, 33, 50), 0, 0.9, 8),
        ((20, 4, 90.5, 63), classes - 1, 0.55, 16),
        ((0, 0, 96, 64), classes // 2, 0.7, 32),
    ]
    outputs = encode(height_width, classes, reg_max, objects)
    head = NanoDet.open(
        spec('in', (1, 3, *height_width)), specs(dims(outputs)), {'reg_max': reg_max}
    )
    assert head.num_classes == classes
    assert is_found(head.decode(outputs, 0.5), [item[:3] for item in objects])


def test_the_number_of_classes_tells_the_bins(spec, specs):
    outputs = specs([(1, 124, 52, 52), (1, 124, 26, 26), (1, 124, 13, 13)])
    head = NanoDet.open(spec('in', (1, 3, 416, 416)), outputs, {'num_classes': 80})
    assert head.bins == 11


def test_channels_alone_are_refused_with_the_option_to_set(spec, specs):
    outputs = specs([(1, 124, 52, 52), (1, 124, 26, 26), (1, 124, 13, 13)])
    with pytest.raises(HeadError, match=r'124 channels .* option reg_max'):
        NanoDet.open(spec('in', (1, 3, 416, 416)), outputs, {})


def test_a_wrong_number_of_outputs_is_refused_with_both_numbers(spec, specs):
    with pytest.raises(HeadError, match=r'needs 3 or 4 outputs, the network has 1: out0 1x84x1x'):
        NanoDet.open(spec('in', (1, 3, 320, 320)), specs([(1, 84, 1, 2100)]), {})


def test_classes_that_leave_no_even_sides_are_refused(spec, specs):
    outputs = specs([(1, 124, 52, 52), (1, 124, 26, 26), (1, 124, 13, 13)])
    with pytest.raises(HeadError, match=r'124 channels .* less 79 classes'):
        NanoDet.open(spec('in', (1, 3, 416, 416)), outputs, {'num_classes': 79})


def test_a_map_that_is_no_grid_over_the_input_is_refused(spec, specs):
    outputs = specs([(1, 112, 52, 52), (1, 112, 26, 26), (1, 112, 13, 20)])
    with pytest.raises(HeadError, match=r"'out2' of 13x20 cells .* 416x416"):
        NanoDet.open(spec('in', (1, 3, 416, 416)), outputs, {'reg_max': 7})


def test_maps_that_were_rounded_up_still_give_their_stride(spec, specs):
    outputs = specs([(1, 33, 53, 53), (1, 33, 27, 27), (1, 33, 14, 14)])
    head = NanoDet.open(spec('in', (1, 3, 420, 420)), outputs, {'reg_max': 7})
    assert [grid.stride for grid in head.grids] == [8, 16, 32]


def test_one_cell_may_give_two_classes(spec, specs):
    outputs = encode((64, 64), 5, 7, [((8, 8, 40, 40), 1, 0.8, 8)])
    outputs[0][0, 3] = np.where(outputs[0][0, 1] > 0, 1.0, -20)
    head = NanoDet.open(spec('in', (1, 3, 64, 64)), specs(dims(outputs)), {'reg_max': 7})
    assert sorted(head.decode(outputs, 0.5).class_ids) == [1, 3]


def test_an_option_of_another_head_is_refused_with_the_own_ones(spec, specs):
    with pytest.raises(HeadError, match="no option 'anchors'; it has: reg_max"):
        NanoDet.open(spec('in', (1, 3, 64, 64)), specs([(1, 33, 8, 8)] * 3), {'anchors': []})
