from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest


@pytest.fixture
def spec():
    """Give a function (name, dims) -> TensorSpec of a plain float tensor."""
    return lambda name, dims: lay_out(name, dims, DataType.FP32, Layout.LINEAR)


@pytest.fixture
def specs(spec):
    """Give a function (list of dims) -> TensorSpecs named out0, out1, ..."""
    return lambda sizes: tuple(spec(f'out{i}', dims) for i, dims in enumerate(sizes))


@pytest.fixture
def is_found():
    """Give a function telling whether exactly these (box, class, score) were found, any order."""

    def compare(detections, expected, tolerance=0.01):
        got = sorted(
            (int(c), *map(float, box), float(s))
            for box, c, s in zip(
                detections.xyxy, detections.class_ids, detections.scores, strict=True
            )
        )
        want = sorted((c, *box, s) for box, c, s in expected)
        assert len(got) == len(want), f'{len(got)} boxes instead of {len(want)}'
        np.testing.assert_allclose(np.array(got), np.array(want), atol=tolerance, rtol=1e-4)
        return True

    return compare
