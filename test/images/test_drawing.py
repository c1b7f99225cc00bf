from itertools import pairwise

from dla_ros.detections import Detections
from dla_ros.images.drawing import class_color, draw
import numpy as np
import pytest


def detections(*rows):
    """Make detections of rows (left, top, right, bottom, score, class)."""
    table = np.array(rows, np.float32).reshape(-1, 6)
    return Detections(table[:, :4], table[:, 4], table[:, 5].astype(np.int32))


def blank(height=300, width=400):
    return np.full((height, width, 3), 90, np.uint8)


def test_the_outline_lies_on_the_edges_of_the_box_and_the_inside_stays():
    drawn = draw(blank(), detections((100, 120, 300, 250, 0.9, 1)))
    for row, column in ((185, 100), (185, 299), (249, 200)):
        around = drawn[row - 1 : row + 2, column - 1 : column + 2].reshape(-1, 3)
        assert np.abs(around.astype(int) - class_color(1)).sum(axis=1).min() < 110
    np.testing.assert_array_equal(drawn[130:240, 110:290], 90)
    np.testing.assert_array_equal(drawn[260:], 90)


def test_the_picture_given_is_left_alone():
    picture = blank()
    picture.flags.writeable = False
    assert (draw(picture, detections((10, 10, 50, 50, 0.5, 0))) != picture).any()
    np.testing.assert_array_equal(picture, blank())


def test_nothing_found_leaves_everything_as_it_is():
    np.testing.assert_array_equal(draw(blank(), Detections.empty()), blank())


def test_another_label_or_score_is_another_text():
    box = (50, 60, 200, 200)
    one = draw(blank(), detections((*box, 0.9, 0)), ['person'])
    assert (one != draw(blank(), detections((*box, 0.9, 0)), ['horse'])).any()
    assert (one != draw(blank(), detections((*box, 0.4, 0)), ['person'])).any()


def test_a_class_without_a_label_is_shown_by_its_number():
    found = detections((50, 60, 200, 200, 0.9, 7))
    np.testing.assert_array_equal(
        draw(blank(), found, ['a']), draw(blank(), found, list('01234567'))
    )


def test_the_better_score_lies_on_top():
    weak, strong = (50, 60, 200, 200, 0.5, 0), (50, 60, 200, 200, 0.9, 3)
    for order in ((weak, strong), (strong, weak)):
        drawn = draw(blank(), detections(*order))
        assert tuple(drawn[62, 60]) != class_color(0)
        assert (drawn == class_color(3)).all(axis=2).any()
        assert not (drawn[56:60, 50:60] == class_color(0)).all(axis=2).any()


@pytest.mark.parametrize('size', [(1, 1), (2, 300), (40, 30), (2160, 3840)])
def test_any_size_of_picture_and_boxes_beyond_it_can_be_drawn(size):
    height, width = size
    found = detections((0, 0, width, height, 0.9, 0), (-50, -60, width + 70, height + 5, 0.5, 79))
    assert draw(blank(height, width), found, ['a long name']).shape == (height, width, 3)


def test_the_tag_of_a_box_at_the_top_stays_in_the_picture():
    top = draw(blank(), detections((0, 0, 80, 80, 0.9, 0)), ['person'])
    inner = top[3:20, 3:60]
    assert (inner == class_color(0)).all(axis=2).sum() > 200


def test_lines_grow_with_the_picture():
    def share(scale):
        picture = blank(240 * scale, 320 * scale)
        box = (100 * scale, 100 * scale, 200 * scale, 200 * scale, 0.9, 0)
        changed = (draw(picture, detections(box), ['x']) != 90).any(axis=2)
        return changed[150 * scale].sum() / scale

    assert share(8) == pytest.approx(share(4), abs=1)


def test_classes_keep_their_colours_and_neighbours_differ():
    assert class_color(5) == class_color(5)
    colors = [np.array(class_color(i), int) for i in range(80)]
    for one, two in pairwise(colors):
        assert np.abs(one - two).max() > 60
