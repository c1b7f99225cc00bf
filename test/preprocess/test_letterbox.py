"""The picture's place in the network's rectangle, and the way back."""

from dla_ros.detections import Detections
from dla_ros.preprocess.letterbox import is_visible, Letterbox
from dla_ros.preprocess.preprocessing import Padding
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest

SIZES = st.tuples(st.integers(1, 5000), st.integers(1, 5000))
NETWORKS = st.tuples(st.integers(1, 1300), st.integers(1, 1300))
PADDINGS = st.sampled_from(Padding)


def boxes(*rows):
    return np.array(rows, np.float32)


def test_a_centred_box_comes_back_where_it_was():
    fitted = Letterbox.fit((720, 1280), (640, 640), Padding.CENTER)
    assert fitted == Letterbox((720, 1280), (640, 640), 140, 0, 360, 640)
    assert fitted.to_source(boxes([100, 240, 300, 400])).tolist() == [[200, 200, 600, 520]]


def test_padding_at_the_bottom_right_leaves_the_picture_at_the_origin():
    fitted = Letterbox.fit((720, 1280), (640, 640), Padding.BOTTOM_RIGHT)
    assert (fitted.top, fitted.left) == (0, 0)
    # The bottom would be at 800, beyond the picture's 720 rows.
    assert fitted.to_source(boxes([100, 240, 300, 400])).tolist() == [[200, 480, 600, 720]]


def test_a_stretched_picture_fills_the_rectangle():
    fitted = Letterbox.fit((720, 1280), (640, 640), Padding.STRETCH)
    assert (fitted.top, fitted.left, fitted.height, fitted.width) == (0, 0, 640, 640)
    assert fitted.to_source(boxes([64, 64, 320, 640])).tolist() == [[128, 72, 640, 720]]


@pytest.mark.parametrize(
    ('source', 'place'),
    [
        ((1, 1), (0, 0, 640, 640)),
        ((1, 4096), (319, 0, 1, 640)),
        ((4096, 1), (0, 319, 640, 1)),
        ((2160, 3840), (140, 0, 360, 640)),
        ((1080, 1920), (140, 0, 360, 640)),
        ((333, 777), (183, 0, 274, 640)),
        ((640, 640), (0, 0, 640, 640)),
        ((2, 1281), (319, 0, 1, 640)),
    ],
)
def test_the_content_is_whole_pixels_and_never_nothing(source, place):
    fitted = Letterbox.fit(source, (640, 640), Padding.CENTER)
    assert (fitted.top, fitted.left, fitted.height, fitted.width) == place


def test_an_odd_row_of_padding_goes_to_the_bottom():
    fitted = Letterbox.fit((359, 640), (640, 640), Padding.CENTER)
    assert (fitted.top, fitted.height) == (140, 359)


@pytest.mark.parametrize(('source', 'network'), [((0, 5), (4, 4)), ((5, 5), (4, -1))])
def test_a_size_below_one_is_a_mistake_in_code(source, network):
    with pytest.raises(ValueError, match='at least 1'):
        Letterbox.fit(source, network, Padding.CENTER)


def test_a_box_over_the_edge_is_cut_and_not_moved():
    fitted = Letterbox.fit((80, 80), (80, 80), Padding.CENTER)
    cut = fitted.to_source(boxes([-20, -10, 50, 40], [70, 60, 300, 90]))
    assert cut.tolist() == [[0, 0, 50, 40], [70, 60, 80, 80]]


def test_a_box_in_the_padding_is_left_out():
    fitted = Letterbox.fit((720, 1280), (640, 640), Padding.CENTER)
    found = Detections(
        boxes([100, 0, 300, 139], [100, 100, 300, 150], [0, 500, 640, 640]),
        np.array([0.9, 0.8, 0.7], np.float32),
        np.array([1, 2, 3], np.int32),
    )
    kept = fitted.detections_to_source(found)
    assert kept.xyxy.tolist() == [[200, 0, 600, 20]]
    assert kept.class_ids.tolist() == [2]


def test_no_box_is_no_trouble():
    fitted = Letterbox.fit((720, 1280), (640, 640), Padding.CENTER)
    assert len(fitted.detections_to_source(Detections.empty())) == 0


def test_boxes_that_are_not_numbers_are_not_visible():
    fitted = Letterbox.fit((72, 128), (64, 64), Padding.CENTER)
    inf, nan = np.inf, np.nan
    back = fitted.to_source(boxes([-inf, -inf, inf, inf], [nan, 20, 30, 40], [30, 30, 20, 20]))
    assert back[0].tolist() == [0, 0, 128, 72]
    assert is_visible(back).tolist() == [True, False, False]


@given(source=SIZES, network=NETWORKS, padding=PADDINGS)
def test_the_content_lies_inside_and_touches_two_sides(source, network, padding):
    fitted = Letterbox.fit(source, network, padding)
    assert fitted.height >= 1
    assert fitted.width >= 1
    assert fitted.top >= 0
    assert fitted.left >= 0
    assert fitted.top + fitted.height <= network[0]
    assert fitted.left + fitted.width <= network[1]
    assert fitted.height == network[0] or fitted.width == network[1]


@given(source=SIZES, network=NETWORKS)
def test_the_shape_is_kept_to_half_a_pixel(source, network):
    fitted = Letterbox.fit(source, network, Padding.CENTER)
    scale = min(network[0] / source[0], network[1] / source[1])
    assert abs(fitted.height - max(source[0] * scale, 0.5)) <= 0.5 + 1e-9
    assert abs(fitted.width - max(source[1] * scale, 0.5)) <= 0.5 + 1e-9


@given(source=SIZES, network=NETWORKS, padding=PADDINGS, data=st.data())
def test_any_box_of_the_picture_comes_back_where_it_was(source, network, padding, data):
    fitted = Letterbox.fit(source, network, padding)
    height, width = source
    unit = st.floats(0, 1, width=32)
    left, top, right, bottom = (data.draw(unit) for _ in range(4))
    box = boxes([left * width, top * height, right * width, bottom * height])
    back = fitted.to_source(fitted.to_network(box))
    # What is lost is one float32 rounding in network pixels, seen in source pixels.
    step = np.spacing(np.float32(max(network)))
    magnified = max(height / fitted.height, width / fitted.width)
    assert np.abs(back - box).max() <= step * (magnified + 1) + np.spacing(np.float32(5000))


@given(source=SIZES, network=NETWORKS, padding=PADDINGS)
def test_the_whole_picture_maps_onto_the_content_exactly(source, network, padding):
    fitted = Letterbox.fit(source, network, padding)
    content = [
        fitted.left,
        fitted.top,
        fitted.left + fitted.width,
        fitted.top + fitted.height,
    ]
    whole = boxes([0, 0, source[1], source[0]])
    assert fitted.to_network(whole).tolist() == [content]
    assert fitted.to_source(boxes(content)).tolist() == whole.tolist()
