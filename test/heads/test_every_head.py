from dla_ros.errors import HeadError
from dla_ros.heads.registry import HEADS, open_head
import numpy as np
import pytest

INPUT = (1, 3, 64, 96)
GRIDS = [(8, 12), (4, 6), (2, 3)]
PRIORS = [[0.5, 0.5, 0.2, 0.3], [0.2, 0.7, 0.1, 0.1]] * 20


def maps(channels):
    return [(1, channels, *grid) for grid in GRIDS]


# Every form of outputs that the package reads: head, sizes, options, classes.
FORMS = {
    'nanodet': ('nanodet', maps(3 + 32), {'reg_max': 7}, 3),
    'yolox cut': ('yolox', maps(8), {}, 3),
    'yolox exported': ('yolox', [(1, 126, 1, 8)], {}, 3),
    'yolov8 exported': ('yolov8', [(1, 7, 1, 126)], {}, 3),
    'yolov8 cut': ('yolov8', maps(67), {}, 3),
    'yolov8 cut, boxes apart': ('yolov8', [*maps(64), *maps(3)], {}, 3),
    'yolov5': ('yolov5', maps(24), {}, 3),
    'ssd': ('ssd', [(1, 40, 1, 4), (1, 40, 1, 4)], {'priors': PRIORS}, 3),
    'ssd sigmoid': (
        'ssd', [(1, 40, 1, 4), (1, 40, 1, 4)],
        {'priors': PRIORS, 'activation': 'sigmoid', 'has_background': False}, 4,
    ),
    'detectnet_v2': ('detectnet_v2', [(1, 3, 4, 6), (1, 12, 4, 6)], {}, 3),
    'centernet': ('centernet', [(1, 3, 16, 24), (1, 2, 16, 24), (1, 2, 16, 24)], {}, 3),
}  # fmt: skip


@pytest.fixture(params=FORMS)
def opened(request, spec, specs):
    """Give each form's head with its output sizes."""
    name, sizes, options, _ = FORMS[request.param]
    return open_head(name, spec('in', INPUT), specs(sizes), options), sizes


def test_every_head_of_the_registry_is_among_the_forms():
    assert {form[0] for form in FORMS.values()} == set(HEADS)


@pytest.mark.parametrize('form', FORMS)
def test_classes_are_counted_from_the_sizes(form, spec, specs):
    name, sizes, options, classes = FORMS[form]
    assert open_head(name, spec('in', INPUT), specs(sizes), options).num_classes == classes


@pytest.mark.parametrize('threshold', [0.0, 0.3, 1.0])
@pytest.mark.parametrize('seed', range(3))
def test_junk_never_becomes_a_box_that_is_none(opened, seed, threshold):
    head, sizes = opened
    rng = np.random.default_rng(seed)
    outputs = []
    for dims in sizes:
        array = rng.normal(0, 50, dims).astype(np.float32)
        for bad in (np.nan, np.inf, -np.inf, 3e38, -3e38):
            array[rng.random(dims) < 0.05] = bad
        outputs.append(array)
    found = head.decode(outputs, threshold)
    assert np.isfinite(found.xyxy).all()
    assert (found.xyxy[:, 2:] > found.xyxy[:, :2]).all()
    assert ((found.scores >= threshold - 1e-6) & (found.scores <= 1)).all()
    assert ((found.class_ids >= 0) & (found.class_ids < head.num_classes)).all()
    assert found.xyxy.dtype == found.scores.dtype == np.float32
    assert found.class_ids.dtype == np.int32


@pytest.mark.parametrize('value', [np.nan, -np.inf])
def test_outputs_without_anything_give_no_boxes(opened, value):
    head, sizes = opened
    found = head.decode([np.full(dims, value, np.float32) for dims in sizes], 0.4)
    assert len(found) == 0
    assert found.xyxy.shape == (0, 4)


def test_scores_fall_when_the_threshold_rises(opened):
    head, sizes = opened
    rng = np.random.default_rng(11)
    outputs = [rng.uniform(0, 2, dims).astype(np.float32) for dims in sizes]
    counts = [len(head.decode(outputs, threshold)) for threshold in (0.05, 0.3, 0.6, 0.95)]
    assert counts[0] > 0
    assert counts == sorted(counts, reverse=True)


def test_decoding_leaves_the_outputs_alone(opened):
    head, sizes = opened
    outputs = [np.random.default_rng(5).uniform(0, 2, dims).astype(np.float32) for dims in sizes]
    before = [array.copy() for array in outputs]
    for array in outputs:
        array.flags.writeable = False
    head.decode(outputs, 0.2)
    for array, copy in zip(outputs, before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize('form', FORMS)
def test_a_batch_of_two_is_refused(form, spec, specs):
    name, sizes, options, _ = FORMS[form]
    with pytest.raises(HeadError, match='batch size 2'):
        open_head(name, spec('in', INPUT), specs([(2, *dims[1:]) for dims in sizes]), options)


@pytest.mark.parametrize('form', FORMS)
def test_a_missing_output_is_refused_with_both_numbers(form, spec, specs):
    name, sizes, options, _ = FORMS[form]
    outputs = specs([*sizes, *sizes, *sizes, (1, 9, 1, 1)])
    with pytest.raises(HeadError, match=rf"head '{name}' needs .* has {len(outputs)}: out0"):
        open_head(name, spec('in', INPUT), outputs, options)


@pytest.mark.parametrize('form', FORMS)
def test_an_unknown_option_is_refused(form, spec, specs):
    name, sizes, options, _ = FORMS[form]
    with pytest.raises(HeadError, match="no option 'colour'"):
        open_head(name, spec('in', INPUT), specs(sizes), {**options, 'colour': 'red'})
