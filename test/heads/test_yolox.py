from dla_ros.errors import HeadError
from dla_ros.heads.yolox import YoloX
import numpy as np
import pytest

STRIDES = (8, 16, 32)


def encode(height_width, classes, objects, *, is_logit):
    """Write (box, class, objectness, class score, stride) into three maps."""
    off = -30.0 if is_logit else 0.0

    def score(value):
        return np.log(value / (1 - value)) if is_logit else value

    maps = []
    for stride in STRIDES:
        out = np.full((1, 5 + classes, height_width[0] // stride, height_width[1] // stride), off)
        for box, class_id, objectness, class_score, own in objects:
            if own != stride:
                continue
            x, y = (box[0] + box[2]) / 2 / stride, (box[1] + box[3]) / 2 / stride
            row, column = int(y), int(x)
            out[0, 0, row, column] = x - column
            out[0, 1, row, column] = y - row
            out[0, 2, row, column] = np.log((box[2] - box[0]) / stride)
            out[0, 3, row, column] = np.log((box[3] - box[1]) / stride)
            out[0, 4, row, column] = score(objectness)
            out[0, 5 + class_id, row, column] = score(class_score)
        maps.append(out.astype(np.float32))
    return maps


def to_rows(maps):
    """Lay maps out as YOLOX exports them: 1 x N x (5 + classes), scale by scale."""
    rows = [row for out in maps for line in out[0].transpose(1, 2, 0) for row in line]
    return np.array(rows, np.float32)[None]


OBJECTS = [
    ((3.5, 6, 30, 41), 0, 0.9, 0.8, 8),
    ((60, 2, 128.25, 60), 2, 0.95, 0.9, 16),
    ((1, 1, 95, 63), 1, 0.8, 0.99, 32),
]
EXPECTED = [(box, c, o * s) for box, c, o, s, _ in OBJECTS]


@pytest.mark.parametrize(('height_width', 'classes'), [((64, 160), 3), ((416, 416), 80)])
def test_cut_maps_of_logits_give_the_boxes(spec, specs, is_found, height_width, classes):
    maps = encode(height_width, classes, OBJECTS, is_logit=True)
    outputs = specs([out.shape for out in maps])
    head = YoloX.open(spec('in', (1, 3, *height_width)), outputs, {})
    assert head.num_classes == classes
    assert is_found(head.decode(maps, 0.5), EXPECTED)


@pytest.mark.parametrize(('height_width', 'classes'), [((64, 160), 3), ((320, 320), 20)])
def test_the_exported_tensor_gives_the_boxes(spec, is_found, height_width, classes):
    rows = to_rows(encode(height_width, classes, OBJECTS, is_logit=False))
    array = rows.reshape(1, rows.shape[1], 1, rows.shape[2])
    head = YoloX.open(spec('in', (1, 3, *height_width)), (spec('output', array.shape),), {})
    assert head.num_classes == classes
    assert is_found(head.decode([array], 0.5), EXPECTED)


def test_the_score_is_objectness_times_class(spec, is_found):
    rows = to_rows(encode((64, 64), 3, [((8, 8, 24, 24), 1, 0.6, 0.6, 8)], is_logit=False))
    array = rows.reshape(1, -1, 1, 8)
    head = YoloX.open(spec('in', (1, 3, 64, 64)), (spec('output', array.shape),), {})
    assert len(head.decode([array], 0.37)) == 0
    assert is_found(head.decode([array], 0.35), [((8, 8, 24, 24), 1, 0.36)])


def test_rows_that_do_not_fit_the_strides_are_refused_with_both_numbers(spec):
    with pytest.raises(HeadError, match=r'8400 rows, strides \[8, 16, 32\] .* give 3549'):
        YoloX.open(spec('in', (1, 3, 416, 416)), (spec('output', (1, 8400, 1, 85)),), {})


def test_the_strides_of_the_exported_tensor_can_be_given(spec):
    output = spec('output', (1, 16 * 16 + 8 * 8, 1, 6))
    head = YoloX.open(spec('in', (1, 3, 64, 64)), (output,), {'strides': [4, 8]})
    assert [grid.stride for grid in head.grids] == [4, 8]


def test_a_tensor_without_room_for_a_class_is_refused(spec):
    with pytest.raises(HeadError, match='no room for a class'):
        YoloX.open(spec('in', (1, 3, 64, 64)), (spec('output', (1, 84, 1, 5)),), {})
