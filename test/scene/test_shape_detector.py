from dla_ros.engines.onnx_session import OnnxSession
from dla_ros.heads.centernet import CenterNet
from dla_ros.scene.card import SCALES
from dla_ros.scene.colours import CLASSES, is_seen_in_grey
from dla_ros.scene.scene import Scene
from dla_ros.scene.shape_detector import build_shape_detector
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np
import onnx
import pytest

# What trtexec places on a DLA (TensorRT, "Working with DLA": supported layers).
DLA_OPERATORS = {'Conv', 'Relu', 'Add', 'AveragePool', 'MaxPool'}


@pytest.mark.parametrize('seed', range(6))
def test_every_shape_is_found_to_the_pixel_and_nothing_else(detect, rows, seed):
    scene = Scene.open(seed, (192, 320))
    picture, truth = scene.frame(seed)
    found = detect(build_shape_detector((192, 320)), picture)
    assert rows(found) == rows(truth)
    assert set(found.scores) == {1.0}


@pytest.mark.parametrize('stride', [4, 8])
@pytest.mark.parametrize('height_width', [(72, 72), (216, 144)])
def test_other_sizes_and_strides_are_as_exact(detect, rows, height_width, stride):
    picture, truth = Scene.open(1, height_width, cell=stride).frame(3)
    assert len(truth)
    found = detect(build_shape_detector(height_width, stride=stride), picture)
    assert rows(found) == rows(truth)


def test_swapped_colours_swap_the_classes(detect, rows):
    picture, truth = Scene.open(2, (192, 320)).frame(0)
    model = build_shape_detector((192, 320), encoding='bgr8')
    assert rows(detect(model, picture[:, :, ::-1])) == rows(truth)
    names = list(CLASSES)
    swapped = [names.index({'red': 'blue', 'blue': 'red'}.get(name, name)) for name in names]
    found = detect(model, picture)
    expected = [(swapped[row[0]], *row[1:]) for row in rows(truth)]
    assert rows(found) == sorted(expected)


def test_a_grey_network_finds_what_is_white(detect, rows):
    picture, truth = Scene.open(3, (192, 320)).frame(1)
    grey = np.rint(picture @ [0.299, 0.587, 0.114])[:, :, None].astype(np.uint8)
    found = detect(build_shape_detector((192, 320), encoding='mono8'), grey)
    names = list(CLASSES)
    white = [row for row in rows(truth) if is_seen_in_grey(names[row[0]])]
    assert white
    assert rows(found) == white


def test_a_shape_off_the_grid_is_right_to_one_cell(detect):
    picture = np.full((96, 96, 3), 40, np.uint8)
    picture[19:59, 27:67] = CLASSES['green']
    found = detect(build_shape_detector((96, 96)), picture)
    assert list(found.class_ids) == [1]
    np.testing.assert_allclose(found.xyxy, [[27, 19, 67, 59]], atol=8)


def test_only_operators_of_a_dla_are_used():
    model = onnx.load_model_from_string(build_shape_detector((192, 320)))
    assert {node.op_type for node in model.graph.node} <= DLA_OPERATORS


@pytest.mark.parametrize('stored', ['fp16', 'int8'])
def test_outputs_stored_in_half_precision_or_int8_give_the_same_boxes(rows, stored):
    picture, truth = Scene.open(5, (192, 320)).frame(0)
    with OnnxSession.open(build_shape_detector((192, 320)), threads=1) as session:
        planes = np.ascontiguousarray(picture.transpose(2, 0, 1)[None], np.float32) / 255
        outputs = session.run([planes])
        ports = (*session.inputs, *session.outputs)
    specs = [lay_out(each.name, each.dims, DataType.FP32, Layout.LINEAR) for each in ports]
    for spec, output in zip(specs[1:], outputs, strict=True):
        scale = SCALES[spec.name]
        as_int8 = np.clip(np.rint(output / scale), -128, 127) * scale
        output[...] = as_int8 if stored == 'int8' else output.astype(np.float16)
    head = CenterNet.open(specs[0], tuple(specs[1:]), {'activation': 'none'})
    assert rows(head.decode(outputs, 0.4)) == rows(truth)


@pytest.mark.parametrize(('height_width', 'stride'), [((190, 320), 8), ((192, 320), 9)])
def test_sizes_off_the_stride_are_refused(height_width, stride):
    with pytest.raises(ValueError, match='multiples of the stride'):
        build_shape_detector(height_width, stride=stride)


def test_building_twice_gives_the_same_bytes():
    assert build_shape_detector((96, 96)) == build_shape_detector((96, 96))
