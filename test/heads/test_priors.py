from dla_ros.errors import HeadError
from dla_ros.heads.priors import to_priors
import numpy as np
import pytest


def test_ssd300_has_8732_priors_as_in_the_paper():
    option = {
        'strides': [8, 16, 32, 64, 100, 300],
        'min_sizes': [30, 60, 111, 162, 213, 264],
        'max_sizes': [60, 111, 162, 213, 264, 315],
        'aspect_ratios': [[2], [2, 3], [2, 3], [2, 3], [2], [2]],
    }
    priors = to_priors(option, (300, 300))
    assert priors.shape == (8732, 4)
    root = np.sqrt(2)
    np.testing.assert_allclose(
        priors[:4],
        [[4, 4, 30, 30], [4, 4, np.sqrt(1800), np.sqrt(1800)],
         [4, 4, 30 * root, 30 / root], [4, 4, 30 / root, 30 * root]],
        rtol=1e-6,
    )  # fmt: skip
    np.testing.assert_allclose(priors[4, :2], [12, 4])
    np.testing.assert_allclose(priors[-1, :2], [150, 150])


def test_fractions_become_pixels_of_the_input():
    np.testing.assert_allclose(to_priors([[0.5, 0.25, 1, 0.1]], (100, 200)), [[100, 25, 200, 10]])


def test_lists_of_different_lengths_are_refused():
    option = {'strides': [8, 16], 'min_sizes': [30], 'max_sizes': [60], 'aspect_ratios': [[2]]}
    with pytest.raises(HeadError, match='cannot be generated'):
        to_priors(option, (300, 300))
