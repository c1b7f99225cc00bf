from dla_ros.scene.colours import CLASSES
from dla_ros.scene.scene import Scene
import numpy as np
import pytest


def bounds(mask):
    ys, xs = np.nonzero(mask)
    return [xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]


def has_colour(picture, class_id):
    return (picture == list(CLASSES.values())[class_id]).all(axis=2)


@pytest.mark.parametrize('seed', range(5))
def test_every_box_holds_its_colour_and_touches_it_on_all_sides(seed):
    picture, truth = Scene.open(seed, (216, 288)).frame(seed)
    assert len(truth)
    for box, class_id in zip(truth.xyxy.astype(int), truth.class_ids, strict=True):
        left, top, right, bottom = box
        part = has_colour(picture, class_id)[top:bottom, left:right]
        assert bounds(part) == [0, 0, right - left, bottom - top]


def test_nothing_of_a_class_lies_outside_the_boxes():
    picture, truth = Scene.open(3, (216, 288)).frame(2)
    for left, top, right, bottom in truth.xyxy.astype(int):
        picture[top:bottom, left:right] = 0
    for class_id in range(len(CLASSES)):
        assert not has_colour(picture, class_id).any()


def test_a_frame_follows_from_seed_and_number_alone():
    first, second = Scene.open(5, (144, 144)), Scene.open(5, (144, 144))
    first.frame(0)
    np.testing.assert_array_equal(first.frame(7)[0], second.frame(7)[0])
    np.testing.assert_array_equal(first.truth(7).xyxy, second.truth(7).xyxy)


def test_frames_and_seeds_differ():
    scene = Scene.open(1, (144, 144))
    assert (scene.frame(0)[0] != scene.frame(1)[0]).any()
    assert Scene.open(2, (144, 144)).shapes != scene.shapes


def test_shapes_move_by_a_cell_and_never_leave_the_picture():
    scene = Scene.open(4, (216, 288), cell=4)
    boxes = np.stack([scene.truth(index).xyxy for index in range(40)])
    steps = np.abs(np.diff(boxes, axis=0))
    assert set(np.unique(steps)) == {4.0}
    assert boxes.min() >= 0
    assert (boxes[..., 2] <= 288).all()
    assert (boxes[..., 3] <= 216).all()


def test_shapes_keep_a_cell_apart():
    scene = Scene.open(6, (216, 288), cell=4)
    for index in range(20):
        grown = scene.truth(index).xyxy + np.array([0, 0, 4, 4])
        canvas = np.zeros((240, 320), int)
        for left, top, right, bottom in grown.astype(int):
            canvas[top:bottom, left:right] += 1
        assert canvas.max() == 1


def test_boxes_lie_on_the_grid_of_cells():
    truth = Scene.open(8, (480, 640), cell=20).truth(3)
    assert (truth.xyxy % 20 == 0).all()


def test_all_classes_both_kinds_and_distractors_appear():
    shapes = [shape for seed in range(5) for shape in Scene.open(seed, (216, 288)).shapes]
    assert {shape.class_id for shape in shapes} == {None, *range(len(CLASSES))}
    assert {shape.kind for shape in shapes} == {'square', 'disc'}


def test_classes_can_be_chosen_and_distractors_left_out():
    scene = Scene.open(0, (216, 288), labels=('white',), distractors=False)
    assert {shape.class_id for shape in scene.shapes} == {3}


def test_a_picture_without_room_is_refused_with_the_size_it_needs():
    with pytest.raises(ValueError, match='needs 72 pixels'):
        Scene.open(0, (64, 640))
