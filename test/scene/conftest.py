from dla_ros.engines.onnx_session import OnnxSession
from dla_ros.heads.centernet import CenterNet
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest


@pytest.fixture
def detect():
    """Give a function (model, picture (h, w, c) uint8, threshold) -> Detections, all in floats."""

    def run(model, picture, threshold=0.4):
        with OnnxSession.open(model, threads=1) as session:
            specs = [
                lay_out(port.name, port.dims, DataType.FP32, Layout.LINEAR)
                for port in (*session.inputs, *session.outputs)
            ]
            head = CenterNet.open(specs[0], tuple(specs[1:]), {'activation': 'none'})
            planes = np.ascontiguousarray(picture.transpose(2, 0, 1)[None], np.float32) / 255
            return head.decode(session.run([planes]), threshold)

    return run


@pytest.fixture
def rows():
    """Give a function turning detections into sorted (class, box) for comparing."""
    return lambda found: sorted(
        (int(class_id), *box)
        for box, class_id in zip(found.xyxy.tolist(), found.class_ids, strict=True)
    )
