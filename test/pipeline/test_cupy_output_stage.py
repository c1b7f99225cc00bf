"""A head of another package that decodes in CuPy, and what is said where CuPy is missing."""

from functools import partial
import sys

from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.emulator.build import emulate
from dla_ros.errors import DeviceError
from dla_ros.heads import registry
from dla_ros.heads.centernet import CenterNet
from dla_ros.heads.cupy_arrays import find_cupy
from dla_ros.heads.gpu_head import is_gpu_head
from dla_ros.images.image import to_image_view
from dla_ros.pipeline.frame import Frame
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.scene import Scene
import pytest

SIZE = (160, 160)
CELL = 8


class ShapesInCupy:
    """Find the middles of the hand-built network's shapes, where the heatmap is nearly 1."""

    def __init__(self, inner):
        self.inner = inner
        self.calls = 0

    @property
    def num_classes(self):
        return self.inner.num_classes

    @classmethod
    def open(cls, network_input, outputs, options):
        opened.append(cls(CenterNet.open(network_input, outputs, {'activation': 'none'})))
        return opened[-1]

    def decode(self, outputs, confidence_threshold):
        raise AssertionError('the CPU was asked')

    def decode_on_gpu(self, outputs, confidence_threshold):
        import cupy

        self.calls += 1
        heatmap, size, shift = (each[0] for each in outputs)
        classes, rows, columns = cupy.nonzero(heatmap >= 0.9)
        centres = cupy.stack([columns, rows], axis=1) + shift[:, rows, columns].T
        half = size[:, rows, columns].T / 2
        boxes = cupy.concatenate([centres - half, centres + half], axis=1) * CELL
        return boxes, heatmap[classes, rows, columns], classes


opened = []


def test_only_heads_with_the_method_are_asked():
    assert is_gpu_head(ShapesInCupy(None))
    assert not is_gpu_head(CenterNet)


def test_a_missing_cupy_is_named_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, 'cupy', None)  # what Python keeps of a failed import
    with pytest.raises(DeviceError, match=r"head 'X' .* pip install 'cupy-cuda13x'"):
        find_cupy("head 'X'")


@pytest.mark.parametrize('formats', [('fp16:chw16', 'fp16:chw16'), ('int8:chw32', 'int8:chw32')])
def test_boxes_decoded_in_cupy_are_the_scenes(gpu, monkeypatch, tmp_path, formats):
    heads = {**registry.HEADS, 'shapes_in_cupy': ShapesInCupy}
    monkeypatch.setattr(registry, 'HEADS', heads)
    write_shape_detector(tmp_path / 'shapes.onnx', SIZE, stride=CELL)
    emulate(tmp_path / 'shapes.onnx', tmp_path / 'shapes.dla', input_format=formats[0],
            output_format=formats[1])  # fmt: skip
    config = DetectorConfig(engine_file_path=str(tmp_path / 'shapes.dla'), device='cuda',
                            dla_device='emulator', head='shapes_in_cupy')  # fmt: skip
    scene, results, errors = Scene.open(3, SIZE, cell=CELL), [], []
    with Detector.open(config, on_result=results.append, on_failure=errors.append,
                       on_invalid=errors.append) as detector:  # fmt: skip
        for number in range(5):
            detector.offer(Frame('camera', number, partial(load, scene, number)))
            assert detector.drain(30)
    assert errors == []
    assert opened[-1].calls >= 5
    for number, result in enumerate(results):
        assert rows(result.detections) == rows(scene.truth(number))


def load(scene, number):
    picture, _ = scene.frame(number)
    return to_image_view(picture.tobytes(), height=SIZE[0], width=SIZE[1], encoding='rgb8',
                         step=SIZE[1] * 3)  # fmt: skip


def rows(found):
    pairs = zip(found.class_ids.tolist(), found.xyxy.tolist(), strict=True)
    return sorted((i, *box) for i, box in pairs)
