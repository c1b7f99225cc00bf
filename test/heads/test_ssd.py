from dla_ros.errors import HeadError
from dla_ros.heads.ssd import Ssd
import numpy as np
import pytest

VARIANCES = (0.1, 0.1, 0.2, 0.2)


def random_priors(count, seed):
    rng = np.random.default_rng(seed)
    return np.concatenate(
        [rng.uniform(0.1, 0.9, (count, 2)), rng.uniform(0.1, 0.5, (count, 2))], 1
    )


def encode(priors, height_width, classes, objects, *, order='xywh', background=1):
    """Write {prior: (box, class, score)} as softmax logits and as moves of the priors."""
    height, width = height_width
    boxes = np.zeros((1, len(priors), 1, 4), np.float32)
    scores = np.zeros((1, len(priors), 1, classes + background), np.float32)
    scores[..., 0] = 12
    for place, (box, class_id, score) in objects.items():
        cx, cy, w, h = priors[place] * [width, height, width, height]
        move = {
            'x': ((box[0] + box[2]) / 2 - cx) / w / VARIANCES[0],
            'y': ((box[1] + box[3]) / 2 - cy) / h / VARIANCES[1],
            'w': np.log((box[2] - box[0]) / w) / VARIANCES[2],
            'h': np.log((box[3] - box[1]) / h) / VARIANCES[3],
        }
        boxes[0, place, 0] = [move[letter] for letter in order]
        rest = (1 - score) / (classes + background - 1)
        scores[0, place, 0] = np.log(rest)
        scores[0, place, 0, class_id + background] = np.log(score)
    return scores, boxes


OBJECTS = {3: ((10, 20, 70.5, 90), 0, 0.9), 40: ((100, 30, 180, 150), 4, 0.6)}


def open_ssd(spec, scores, boxes, options, height_width=(300, 200)):
    outputs = (spec('scores', scores.shape), spec('boxes', boxes.shape))
    return Ssd.open(spec('in', (1, 3, *height_width)), outputs, options)


@pytest.mark.parametrize('order', ['xywh', 'yxhw'])
@pytest.mark.parametrize('classes', [5, 20])
def test_boxes_come_back_as_they_were_encoded(spec, is_found, order, classes):
    priors = random_priors(60, seed=classes)
    scores, boxes = encode(priors, (300, 200), classes, OBJECTS, order=order)
    options = {'priors': priors.tolist(), 'box_order': order}
    head = open_ssd(spec, scores, boxes, options)
    assert head.num_classes == classes
    assert is_found(head.decode([scores, boxes], 0.5), list(OBJECTS.values()))


def test_the_prefilter_loses_nothing_that_softmax_would_give(spec):
    rng = np.random.default_rng(7)
    priors = random_priors(500, seed=1)
    scores = rng.normal(0, 3, (1, 500, 1, 6)).astype(np.float32)
    boxes = rng.normal(0, 0.1, (1, 500, 1, 4)).astype(np.float32)
    head = open_ssd(spec, scores, boxes, {'priors': priors.tolist()})
    weights = np.exp(scores[0, :, 0])
    shares = (weights / weights.sum(1, keepdims=True))[:, 1:]
    for threshold in (0.2, 0.5, 0.8):
        found = head.decode([scores, boxes], threshold)
        assert len(found) == (shares >= threshold).sum() > 0
        np.testing.assert_allclose(
            np.sort(found.scores), np.sort(shares[shares >= threshold]), rtol=1e-5
        )


def test_boxes_before_scores_are_told_by_their_names(spec, is_found):
    priors = random_priors(60, seed=2)
    scores, boxes = encode(priors, (300, 200), 5, OBJECTS)
    outputs = (spec('boxes', boxes.shape), spec('scores', scores.shape))
    options = {'priors': priors.tolist(), 'outputs': ['scores', 'boxes']}
    head = Ssd.open(spec('in', (1, 3, 300, 200)), outputs, options)
    assert is_found(head.decode([boxes, scores], 0.5), list(OBJECTS.values()))


@pytest.mark.parametrize('activation', ['sigmoid', 'none'])
def test_scores_without_softmax_and_background_are_read(spec, is_found, activation):
    priors = random_priors(60, seed=3)
    _, boxes = encode(priors, (300, 200), 5, OBJECTS)
    scores = np.full((1, 60, 1, 5), -30 if activation == 'sigmoid' else 0, np.float32)
    for place, (_, class_id, score) in OBJECTS.items():
        value = np.log(score / (1 - score)) if activation == 'sigmoid' else score
        scores[0, place, 0, class_id] = value
    options = {'priors': priors.tolist(), 'activation': activation, 'has_background': False}
    head = open_ssd(spec, scores, boxes, options)
    assert is_found(head.decode([scores, boxes], 0.5), list(OBJECTS.values()))


def test_priors_are_read_from_a_file(spec, is_found, tmp_path):
    priors = random_priors(60, seed=4)
    np.save(tmp_path / 'priors.npy', priors)
    scores, boxes = encode(priors, (300, 200), 5, OBJECTS)
    head = open_ssd(spec, scores, boxes, {'priors': str(tmp_path / 'priors.npy')})
    assert is_found(head.decode([scores, boxes], 0.5), list(OBJECTS.values()))


def test_missing_priors_are_asked_for(spec):
    with pytest.raises(HeadError, match='needs its option priors'):
        open_ssd(spec, np.zeros((1, 9, 1, 3)), np.zeros((1, 9, 1, 4)), {})


def test_priors_that_do_not_fit_the_rows_are_refused_with_both_numbers(spec):
    with pytest.raises(HeadError, match=r'8 priors.*scores 1x9x1x3'):
        open_ssd(
            spec, np.zeros((1, 9, 1, 3)), np.zeros((1, 9, 1, 4)),
            {'priors': [[0.5, 0.5, 0.1, 0.1]] * 8},
        )  # fmt: skip


@pytest.mark.parametrize('priors', [[[1, 2, 3]], 'nowhere.npy', {'strides': [8]}, [['a'] * 4]])
def test_priors_that_are_none_are_refused(spec, priors):
    with pytest.raises(HeadError, match='option priors'):
        open_ssd(spec, np.zeros((1, 9, 1, 3)), np.zeros((1, 9, 1, 4)), {'priors': priors})


@pytest.mark.parametrize('variances', [[0.1, 0.2], 'small', 0.1])
def test_variances_that_are_none_are_refused(spec, variances):
    options = {'priors': [[0.5, 0.5, 0.1, 0.1]] * 9, 'variances': variances}
    with pytest.raises(HeadError, match='option variances'):
        open_ssd(spec, np.zeros((1, 9, 1, 3)), np.zeros((1, 9, 1, 4)), options)
