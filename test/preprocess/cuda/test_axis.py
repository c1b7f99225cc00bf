"""Where the pixels of an axis come from."""

from dla_ros.preprocess.cuda.axis import is_mixed, needed, to_axis, WEIGHT_BITS
from hypothesis import given
from hypothesis import strategies as st
import numpy as np

MASK = (1 << WEIGHT_BITS) - 1
SIZES = st.integers(1, 5000)


def test_an_odd_whole_ratio_only_picks():
    axis = to_axis(1920, 640)
    assert not is_mixed(axis)
    assert list(axis[:3] >> WEIGHT_BITS) == [1, 4, 7]


def test_an_even_whole_ratio_mixes_halves():
    axis = to_axis(1280, 640)
    assert is_mixed(axis)
    assert set(axis & MASK) == {128}


@given(source=SIZES, target=SIZES)
def test_every_pixel_named_exists(source, target):
    axis = to_axis(source, target)
    index, weight = axis >> WEIGHT_BITS, axis & MASK
    assert index.min() >= 0
    assert (index + (weight > 0)).max() < source
    assert weight.max() <= 256


@given(source=SIZES, target=SIZES)
def test_an_axis_over_the_needed_pixels_names_the_same_ones(source, target):
    axis = to_axis(source, target)
    kept, renumbered = needed(axis)
    index, weight = renumbered >> WEIGHT_BITS, renumbered & MASK
    np.testing.assert_array_equal(kept[index], axis >> WEIGHT_BITS)
    np.testing.assert_array_equal(weight, axis & MASK)
    mixed = weight > 0
    np.testing.assert_array_equal(kept[index[mixed] + 1], (axis >> WEIGHT_BITS)[mixed] + 1)
