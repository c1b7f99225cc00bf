import numpy as np
import pytest

CAR, DOG = 'car', 'dog'


@pytest.fixture
def tracking():
    from dla_tracker import tracking

    return tracking


@pytest.fixture
def tracker(tracking):
    return tracking.Tracker(least_overlap=0.3, most_missed=2)


def box(left, top=0.0, size=10.0):
    return [left, top, left + size, top + size]


def test_overlaps_are_intersection_over_union(tracking):
    one = np.array([box(0), box(100)])
    other = np.array([box(0), box(5), box(0, size=20), box(50)])
    wanted = [[1.0, 50 / 150, 100 / 400, 0.0], [0.0, 0.0, 0.0, 0.0]]
    assert tracking.overlaps(one, other) == pytest.approx(np.array(wanted))


def test_boxes_without_an_area_overlap_nothing(tracking):
    nothing = np.array([[3.0, 3.0, 3.0, 3.0]])
    assert tracking.overlaps(nothing, nothing) == pytest.approx(np.zeros((1, 1)))


def test_an_object_keeps_its_number_while_it_moves(tracker):
    numbers = [tracker.update(np.array([box(3.0 * step)]), [CAR]) for step in range(20)]
    assert numbers == [[1]] * 20


def test_numbers_follow_objects_not_the_order_of_boxes(tracker):
    assert tracker.update(np.array([box(0), box(50)]), [CAR, CAR]) == [1, 2]
    assert tracker.update(np.array([box(51), box(1)]), [CAR, CAR]) == [2, 1]


def test_the_best_overlap_is_paired_first(tracker):
    tracker.update(np.array([box(0), box(6)]), [CAR, CAR])
    # box(5) overlaps both; it is nearer to 2, and 1 is left for box(1)
    assert tracker.update(np.array([box(5), box(1)]), [CAR, CAR]) == [2, 1]


def test_an_object_never_changes_its_class(tracker):
    tracker.update(np.array([box(0)]), [CAR])
    assert tracker.update(np.array([box(0)]), [DOG]) == [2]


def test_a_box_too_far_away_is_a_new_object(tracker):
    tracker.update(np.array([box(0)]), [CAR])
    assert tracker.update(np.array([box(8)]), [CAR]) == [2]


def test_an_object_is_remembered_for_a_while(tracker):
    tracker.update(np.array([box(0)]), [CAR])
    for _ in range(2):
        assert tracker.update(np.empty((0, 4)), []) == []
    assert tracker.update(np.array([box(1)]), [CAR]) == [1]
    for _ in range(3):
        tracker.update(np.empty((0, 4)), [])
    assert tracker.tracks == []
    assert tracker.update(np.array([box(1)]), [CAR]) == [2]


def test_numbers_are_not_used_again_after_forgetting(tracker):
    tracker.update(np.array([box(0)]), [CAR])
    tracker.forget()
    assert tracker.update(np.array([box(0)]), [CAR]) == [2]


@pytest.mark.parametrize('values', [{'least_overlap': 0.0}, {'least_overlap': 1.1},
                                    {'most_missed': -1}])  # fmt: skip
def test_settings_that_mean_nothing_are_refused(tracking, values):
    with pytest.raises(ValueError, match=next(iter(values))):
        tracking.Tracker(**values)


def test_tracking_knows_nothing_of_ros(tracking):
    import ast
    from pathlib import Path

    tree = ast.parse(Path(tracking.__file__).read_text())
    names = {
        name.partition('.')[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else
                     [alias.name for alias in node.names])
    }  # fmt: skip
    assert names == {'collections', 'dataclasses', 'itertools', 'numpy'}
