"""The decoding kernels' arithmetic, compiled for the CPU, against the heads."""

from dla_ros.heads.cuda.decoder import CAPACITY
from dla_ros.heads.cuda.plan import plan_for
from dla_ros.heads.registry import open_head
from dla_ros.heads.yolox import YoloX
import numpy as np
import pytest


@pytest.mark.parametrize('confidence', [0.25, 0.5, 0.8])
def test_a_kernel_finds_what_its_head_finds(make_case, run_on_cpu, assert_same, confidence):
    case = make_case(seed=int(confidence * 100))
    wanted = case.decode_on_cpu(confidence)
    if len(wanted) <= CAPACITY:
        assert_same(run_on_cpu(case, confidence), wanted)


def test_too_many_candidates_are_told(make_case, run_on_cpu):
    case = make_case()
    wanted = case.decode_on_cpu(0.0)
    found = run_on_cpu(case, 0.0)
    assert (found is None) == (len(wanted) > CAPACITY)


def test_a_threshold_of_one_leaves_what_the_head_leaves(make_case, run_on_cpu, assert_same):
    case = make_case()
    assert_same(run_on_cpu(case, 1.0), case.decode_on_cpu(1.0))


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_give_no_box(make_case, run_on_cpu, assert_same, bad):
    case = make_case()
    for spec, buffer in zip(case.specs, case.buffers, strict=True):
        if spec.scale is None:
            numbers = buffer.view(spec.data_type.numpy)
            numbers[np.random.default_rng(1).random(len(numbers)) < 0.01] = bad
    wanted = case.decode_on_cpu(0.7)
    found = run_on_cpu(case, 0.7)
    assert np.isfinite(found.xyxy).all()
    assert_same(found, wanted)


def test_a_head_without_a_kernel_has_no_plan():
    class Unknown:
        num_classes = 1

    assert plan_for(Unknown(), ()) is None


def test_a_head_derived_from_one_with_a_kernel_has_no_plan(make_spec):
    class Own(YoloX):
        pass

    outputs = tuple(make_spec(f'o{size}', (1, 9, size, size)) for size in (8, 4, 2))
    network = make_spec('images', (1, 3, 64, 64))
    assert plan_for(YoloX.open(network, outputs, {}), outputs).kernel == 'yolox'
    assert plan_for(Own.open(network, outputs, {}), outputs) is None


def test_rows_that_fold_over_two_sizes_are_left_to_the_cpu(make_spec):
    network = make_spec('images', (1, 3, 96, 160))
    rows = make_spec('rows', (1, 105, 3, 25))
    head = open_head('yolox', network, (rows,), {})
    assert plan_for(head, (rows,)) is None
