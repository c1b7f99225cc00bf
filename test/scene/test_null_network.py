from dla_ros.scene.null_network import build_null_network
import numpy as np
import onnx
import pytest


@pytest.mark.parametrize(('height_width', 'channels'), [((416, 416), 3), ((90, 100), 1)])
def test_nothing_is_found_whatever_is_shown(detect, height_width, channels):
    picture = np.random.default_rng(0).integers(0, 256, (*height_width, channels), np.uint8)
    model = build_null_network(height_width, channels=channels)
    assert len(detect(model, picture, threshold=0.01)) == 0


def test_it_looks_at_one_pixel_of_256():
    model = onnx.load_model_from_string(build_null_network((416, 416)))
    first = model.graph.node[0]
    settings = {each.name: onnx.helper.get_attribute_value(each) for each in first.attribute}
    assert (first.op_type, settings) == (
        'MaxPool', {'kernel_shape': [1, 1], 'strides': [16, 16]},
    )  # fmt: skip
    assert all(first.output[0] in node.input for node in model.graph.node[1:])
