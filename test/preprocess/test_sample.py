"""The sampling rule, to the bit, and how near it is to real bilinear interpolation."""

import cv2
from dla_ros.preprocess.sample import sample
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest

SIDE = st.integers(1, 90)


def scaled(pixels, height, width):
    flat = pixels[:, :, 0] if pixels.shape[2] == 1 else pixels
    target = np.empty((height, width, *flat.shape[2:]), np.uint8)
    return sample(np.ascontiguousarray(flat), target).reshape(height, width, -1)


def random_pixels(height, width, channels, seed):
    return np.random.default_rng(seed).integers(0, 256, (height, width, channels), np.uint8)


@given(SIDE, SIDE, SIDE, SIDE, st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_pixels_follow_the_rule_to_the_bit(
    sampled_by_the_rule, height, width, to_height, to_width, channels, seed
):
    pixels = random_pixels(height, width, channels, seed)
    expected = sampled_by_the_rule(pixels, to_height, to_width)
    assert np.array_equal(scaled(pixels, to_height, to_width), expected)


@pytest.mark.parametrize(
    ('source', 'network'),
    [
        ((1080, 1920), (360, 640)),
        ((720, 1280), (360, 640)),
        ((1080, 1920), (234, 416)),
        ((2160, 3840), (360, 640)),
        ((480, 640), (640, 640)),
    ],
)
@pytest.mark.parametrize('channels', [1, 3, 4])
def test_camera_sizes_follow_the_rule_to_the_bit(sampled_by_the_rule, source, network, channels):
    pixels = random_pixels(*source, channels, 1)
    assert np.array_equal(scaled(pixels, *network), sampled_by_the_rule(pixels, *network))


@given(SIDE, SIDE, st.integers(0, 6), st.integers(0, 6), st.integers(1, 4), st.integers(0, 99))
def test_picking_at_odd_ratios_is_the_same_as_interpolating(
    height, width, down, across, channels, seed
):
    pixels = random_pixels(height * (2 * down + 1), width * (2 * across + 1), channels, seed)
    expected = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR_EXACT)
    assert np.array_equal(scaled(pixels, height, width), expected.reshape(height, width, -1))


@given(SIDE, SIDE, SIDE, SIDE, st.integers(0, 2**32 - 1))
def test_the_rule_is_within_its_rounding_of_real_bilinear(
    height, width, to_height, to_width, seed
):
    def weights(have, want):
        x = np.clip((np.arange(want) + 0.5) * have / want - 0.5, 0, have - 1)
        return np.maximum(1 - np.abs(x[:, np.newaxis] - np.arange(have)), 0)

    pixels = random_pixels(height, width, 1, seed)
    real = weights(height, to_height) @ pixels[:, :, 0] @ weights(width, to_width).T
    # Each axis rounds its weight by at most 1/512 of the range, the result by a half.
    bound = 0.5 + 2 * 255 / 512 + 1e-9
    assert np.abs(scaled(pixels, to_height, to_width)[:, :, 0] - real).max() <= bound


def test_a_picture_of_the_right_size_is_not_touched():
    pixels = random_pixels(5, 7, 3, 0)
    assert sample(pixels, np.empty_like(pixels)) is pixels


def test_padded_rows_are_scaled_without_their_junk():
    wide = random_pixels(30, 41, 3, 0)
    pixels = np.ndarray((30, 20, 3), np.uint8, wide, strides=(123, 3, 1))
    expected = scaled(pixels.copy(), 11, 13)
    assert np.array_equal(sample(pixels, np.empty((11, 13, 3), np.uint8)), expected)
