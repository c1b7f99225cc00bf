import os
import tracemalloc

from dla_ros.errors import HeadError
from dla_ros.heads.priors import MOST_PRIORS, to_priors
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


def generated(**changes):
    option = {'strides': [1], 'min_sizes': [30], 'max_sizes': [60], 'aspect_ratios': [[]]}
    return to_priors({**option, **changes}, (512, 1024))


def test_as_many_priors_as_allowed_are_made_and_not_one_more():
    assert len(generated()) == MOST_PRIORS
    tracemalloc.start()
    try:
        for option in ({'aspect_ratios': [[2]]}, {'strides': [0.9999]}, {'strides': [1e-4]}):
            with pytest.raises(HeadError, match=rf'at most {MOST_PRIORS} are made'):
                generated(**option)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize('stride', [0, -1, float('inf'), float('nan'), 1e-320, 10**64, 'x', None])
def test_a_stride_that_is_none_is_refused(stride):
    with pytest.raises(HeadError, match='cannot be generated'):
        generated(strides=[stride], min_sizes=[10**200])


def npy(shape, data=b'', dtype='<f4', order='False'):
    header = f"{{'descr': {dtype!r}, 'fortran_order': {order}, 'shape': {shape}, }}\n"
    return b'\x93NUMPY\x01\x00' + len(header).to_bytes(2, 'little') + header.encode() + data


@pytest.mark.parametrize(
    ('content', 'words'),
    [
        (npy((2**40, 4)), '17592186044416 bytes of float32 should be in it, 0 are'),
        (npy((1, 4), bytes(15)), '16 bytes of float32 should be in it, 15 are'),
        (npy((10**30, 4)), 'should be in it, 0 are'),
        (npy((1,), bytes(8), '|O'), 'object should be in it'),
        (npy((1, 3), bytes(12)), 'cannot reshape'),
        (npy('((' * 3000 + '))' * 3000), 'cannot be read'),
        (b'PK\x03\x04' + bytes(60), 'cannot be read'),
        (b'', 'cannot be read'),
        (b'\x93NUMPY\x09\x00', r'version \(9, 0\)'),
    ],
)
def test_a_file_that_claims_more_than_it_holds_takes_no_memory(tmp_path, content, words):
    path = tmp_path / 'priors.npy'
    path.write_bytes(content)
    with pytest.raises(HeadError):
        to_priors(str(path), (300, 300))  # imports what it needs
    tracemalloc.start()
    try:
        with pytest.raises(HeadError, match=words):
            to_priors(str(path), (300, 300))
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize('value', ['nan', 'inf', 1e300, 10**60])
def test_priors_that_are_no_numbers_are_refused(value):
    with pytest.raises(HeadError, match='numbers that are none'):
        to_priors([[0.5, 0.5, 1, float(value)]], (300, 300))
    with pytest.raises(HeadError, match='cannot be generated'):
        generated(min_sizes=[float(value)])


def test_priors_of_a_file_are_read(tmp_path):
    path = tmp_path / 'priors.npy'
    np.save(path, np.array([[0.5, 0.25, 1, 0.1]], np.float64, order='F'))
    np.testing.assert_allclose(to_priors(str(path), (100, 200)), [[100, 25, 200, 10]])


def test_a_pipe_of_priors_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / 'priors.npy')
    with pytest.raises(HeadError, match='it is a pipe, not a regular file'):
        to_priors(str(tmp_path / 'priors.npy'), (100, 200))
