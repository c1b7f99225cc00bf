from dla_ros.errors import TensorError
from dla_ros.tensors.spec import to_dims
import pytest


@pytest.mark.parametrize(
    ('shape', 'dims'),
    [
        ((2,), (2, 1, 1, 1)),
        ((1, 10), (1, 10, 1, 1)),
        ((1, 84, 2100), (1, 84, 1, 2100)),
        ((1, 3, 416, 320), (1, 3, 416, 320)),
    ],
)
def test_missing_sizes_are_one(shape, dims):
    assert to_dims('x', shape) == dims


@pytest.mark.parametrize('shape', [(), (1, 3, 80, 80, 85)])
def test_other_ranks_are_refused_by_name(shape):
    with pytest.raises(TensorError, match="tensor 'boxes'"):
        to_dims('boxes', shape)
