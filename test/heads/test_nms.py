from dla_ros.detections import Detections
from dla_ros.heads.nms import MAX_CANDIDATES, non_maximum_suppression
import numpy as np
import pytest


def detections(*rows):
    """Make detections of rows (left, top, right, bottom, score, class)."""
    table = np.array(rows, np.float64).reshape(-1, 6)
    return Detections(
        table[:, :4].astype(np.float32),
        table[:, 4].astype(np.float32),
        table[:, 5].astype(np.int32),
    )


def iou(one, two):
    width = min(one[2], two[2]) - max(one[0], two[0])
    height = min(one[3], two[3]) - max(one[1], two[1])
    both = max(width, 0) * max(height, 0)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, two)]
    return both / (sum(areas) - both)


def reference(found, threshold, *, agnostic=False):
    """Suppress box by box, as the definition says."""
    kept = []
    for place in np.argsort(-found.scores, kind='stable'):
        box = found.xyxy[place].astype(float)
        rivals = [k for k in kept if agnostic or found.class_ids[k] == found.class_ids[place]]
        if all(iou(found.xyxy[k].astype(float), box) <= threshold for k in rivals):
            kept.append(place)
    return kept


def random_detections(count, seed):
    rng = np.random.default_rng(seed)
    corner, size = rng.uniform(-50, 400, (count, 2)), rng.uniform(1, 150, (count, 2))
    boxes = np.concatenate([corner, corner + size], 1).astype(np.float32)
    scores = rng.random(count).astype(np.float32)
    return Detections(boxes, scores, rng.integers(0, 4, count).astype(np.int32))


@pytest.mark.parametrize('agnostic', [False, True])
@pytest.mark.parametrize('threshold', [0.0, 0.3, 0.6, 0.9, 1.0])
@pytest.mark.parametrize('seed', range(4))
def test_it_does_what_the_definition_says(seed, threshold, agnostic):
    found = random_detections(120, seed)
    kept = non_maximum_suppression(found, threshold, 1000, is_class_agnostic=agnostic)
    expected = found.select(np.array(reference(found, threshold, agnostic=agnostic)))
    np.testing.assert_array_equal(kept.xyxy, expected.xyxy)
    np.testing.assert_array_equal(kept.class_ids, expected.class_ids)


def test_the_best_comes_first():
    kept = non_maximum_suppression(random_detections(60, 9), 0.5, 100)
    assert (np.diff(kept.scores) <= 0).all()


def test_classes_do_not_suppress_each_other():
    found = detections((0, 0, 10, 10, 0.9, 0), (0, 0, 10, 10, 0.8, 79), (0, 0, 10, 10, 0.7, 0))
    assert list(non_maximum_suppression(found, 0.5, 100).class_ids) == [0, 79]


def test_without_regard_to_class_the_best_alone_stays():
    found = detections((0, 0, 10, 10, 0.9, 0), (0, 0, 10, 10, 0.95, 7))
    kept = non_maximum_suppression(found, 0.5, 100, is_class_agnostic=True)
    assert list(kept.class_ids) == [7]


def test_no_more_than_the_limit_come_back():
    found = detections(*[(i * 20, 0, i * 20 + 10, 10, 0.5 + i / 100, 0) for i in range(10)])
    kept = non_maximum_suppression(found, 0.5, 3)
    np.testing.assert_allclose(kept.scores, [0.59, 0.58, 0.57])


def test_nothing_gives_nothing():
    assert len(non_maximum_suppression(Detections.empty(), 0.5, 100)) == 0


def test_a_flood_of_candidates_is_cut_to_the_best():
    count = MAX_CANDIDATES + 500
    rows = [(20 * i, 0, 20 * i + 10, 10, 0.1 + i / (2 * count), 0) for i in range(count)]
    kept = non_maximum_suppression(detections(*rows), 0.5, count)
    assert len(kept) == MAX_CANDIDATES
    assert kept.scores[0] == pytest.approx(rows[-1][4])


def test_boxes_outside_the_picture_count_like_others():
    found = detections(
        (-30, -30, 5, 5, 0.9, 1), (-29, -30, 5, 5, 0.8, 1), (-30, -30, 5, 5, 0.7, 0)
    )
    assert len(non_maximum_suppression(found, 0.5, 100)) == 2
