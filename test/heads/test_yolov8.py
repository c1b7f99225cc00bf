from dla_ros.errors import HeadError
from dla_ros.heads.yolov8 import YoloV8
import numpy as np
import pytest

STRIDES = (8, 16, 32)


def encode_rows(classes, places, objects):
    out = np.zeros((1, 4 + classes, 1, places), np.float32)
    for place, (box, class_id, score) in objects.items():
        out[0, 0, 0, place] = (box[0] + box[2]) / 2
        out[0, 1, 0, place] = (box[1] + box[3]) / 2
        out[0, 2, 0, place] = box[2] - box[0]
        out[0, 3, 0, place] = box[3] - box[1]
        out[0, 4 + class_id, 0, place] = score
    return out


def encode_maps(height_width, classes, bins, objects):
    """Write (box, class, score, stride) as one box map and one class map a scale."""
    boxes, scores = [], []
    for stride in STRIDES:
        size = (height_width[0] // stride, height_width[1] // stride)
        box_map = np.zeros((1, 4 * bins, *size), np.float32)
        score_map = np.full((1, classes, *size), -20, np.float32)
        for box, class_id, score, own in objects:
            if own != stride:
                continue
            column = int((box[0] + box[2]) / 2 / stride)
            row = int((box[1] + box[3]) / 2 / stride)
            x, y = column + 0.5, row + 0.5
            sides = (x - box[0] / stride, y - box[1] / stride, box[2] / stride - x,
                     box[3] / stride - y)  # fmt: skip
            for side, distance in enumerate(sides):
                low = int(distance)
                weights = np.full(bins, 1e-25)
                weights[low] += 1 - (distance - low)
                weights[low + 1] += distance - low
                box_map[0, side * bins : (side + 1) * bins, row, column] = np.log(weights)
            score_map[0, class_id, row, column] = np.log(score / (1 - score))
        boxes.append(box_map)
        scores.append(score_map)
    return boxes, scores


@pytest.mark.parametrize(('classes', 'places'), [(3, 2100), (80, 8400), (1, 21)])
def test_the_exported_tensor_gives_the_boxes(spec, is_found, classes, places):
    objects = {0: ((5, 6, 50.5, 70), classes - 1, 0.8), places - 1: ((0, 0, 320, 320), 0, 0.6)}
    array = encode_rows(classes, places, objects)
    head = YoloV8.open(spec('in', (1, 3, 320, 320)), (spec('output0', array.shape),), {})
    assert head.num_classes == classes
    assert is_found(head.decode([array], 0.5), list(objects.values()))


def test_places_in_the_height_of_a_tensor_are_read_too(spec, is_found):
    objects = {7: ((5, 6, 50.5, 70), 2, 0.8)}
    array = encode_rows(3, 2100, objects).reshape(1, 7, 2100, 1)
    head = YoloV8.open(spec('in', (1, 3, 320, 320)), (spec('output0', array.shape),), {})
    assert is_found(head.decode([array], 0.5), list(objects.values()))


@pytest.mark.parametrize(
    ('height_width', 'classes', 'bins'),
    [((128, 192), 3, 16), ((320, 320), 64, 16), ((64, 64), 1, 8)],
)
@pytest.mark.parametrize('form', ['together', 'apart', 'apart, boxes last'])
def test_cut_maps_give_the_boxes(spec, specs, is_found, height_width, classes, bins, form):
    objects = [
        ((10, 12.5, 40, 50), 0, 0.9, 8),
        ((1, 3, 60, 61.5), classes - 1, 0.6, 16),
        ((0, 0, 64, 64), classes // 2, 0.75, 32),
    ]
    boxes, scores = encode_maps(height_width, classes, bins, objects)
    pairs = list(zip(boxes, scores, strict=True))
    if form == 'together':
        outputs = [np.concatenate(pair, axis=1) for pair in pairs]
    elif form == 'apart':
        outputs = [array for pair in pairs for array in pair]
    else:
        outputs = [*boxes, *scores] if classes == 4 * bins else [*scores, *boxes]
    shapes = specs([array.shape for array in outputs])
    head = YoloV8.open(spec('in', (1, 3, *height_width)), shapes, {'reg_max': bins})
    assert head.num_classes == classes
    assert is_found(head.decode(outputs, 0.5), [item[:3] for item in objects])


def test_only_the_best_class_of_a_place_comes_back(spec, is_found):
    array = encode_rows(3, 21, {4: ((5, 6, 50, 70), 1, 0.8)})
    array[0, 4, 0, 4] = 0.7
    head = YoloV8.open(spec('in', (1, 3, 64, 64)), (spec('output0', array.shape),), {})
    assert is_found(head.decode([array], 0.5), [((5, 6, 50, 70), 1, 0.8)])


def test_six_maps_without_box_bins_are_refused(spec, specs):
    sizes = [(1, 80, 8, 8), (1, 3, 8, 8), (1, 80, 4, 4), (1, 3, 4, 4), (1, 80, 2, 2), (1, 3, 2, 2)]
    with pytest.raises(HeadError, match=r'needs boxes \(64 channels\) and classes'):
        YoloV8.open(spec('in', (1, 3, 64, 64)), specs(sizes), {})


def test_scales_with_different_classes_are_refused(spec, specs):
    sizes = [(1, 67, 8, 8), (1, 67, 4, 4), (1, 68, 2, 2)]
    with pytest.raises(HeadError, match="'out2' has 68 channels, needs 67"):
        YoloV8.open(spec('in', (1, 3, 64, 64)), specs(sizes), {})


def test_the_end_to_end_form_without_classes_is_refused(spec):
    with pytest.raises(HeadError, match='no room for a class'):
        YoloV8.open(spec('in', (1, 3, 64, 64)), (spec('output0', (1, 4, 1, 300)),), {})
