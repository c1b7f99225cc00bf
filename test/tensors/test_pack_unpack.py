from dataclasses import replace

from dla_ros.errors import TensorError
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.packing import pack, unpack
from dla_ros.tensors.spec import ALLOWED_TYPES, lay_out
from dla_ros.tensors.view import to_view
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

FORMATS = [(t, layout) for layout, types in ALLOWED_TYPES.items() for t in types]


@st.composite
def specs(draw):
    data_type, layout = draw(st.sampled_from(FORMATS))
    channels = st.sampled_from([1, 3, 4]) if layout is Layout.DLA_HWC4 else st.integers(1, 70)
    dims = (draw(st.integers(1, 3)), draw(channels), *draw(st.tuples(*[st.integers(1, 9)] * 2)))
    spec = lay_out('x', dims, data_type, layout, draw(st.sampled_from([0.5, 0.0078720935])))
    return widened(spec, draw(st.integers(0, 2)), draw(st.integers(0, 2)))


def widened(spec, lines, planes):
    """Give larger strides, as a driver may report them."""
    line = spec.line_stride + 64 * lines
    if spec.layout is Layout.DLA_HWC4:
        return replace(spec, line_stride=line, size=line * spec.dims[2] * spec.dims[0])
    count = spec.size // spec.plane_stride
    plane = line * spec.dims[2] + 64 * planes
    return replace(spec, line_stride=line, plane_stride=plane, size=plane * count)


def representable(spec, seed):
    rng = np.random.default_rng(seed)
    if spec.data_type is DataType.INT8:
        return rng.integers(-128, 128, spec.dims).astype(np.float32) * np.float32(spec.scale)
    return rng.normal(0, 50, spec.dims).astype(spec.data_type.numpy).astype(np.float32)


@given(specs(), st.integers(0, 1000))
@settings(deadline=None, max_examples=150)
def test_what_is_packed_comes_back(spec, seed):
    values = representable(spec, seed)
    buffer = np.full(spec.size + 5, 0xAA, np.uint8)
    pack(spec, values, buffer)
    back = unpack(spec, buffer)
    assert back.dtype == np.float32
    assert back.flags.c_contiguous
    assert np.array_equal(back, values)
    assert (buffer[spec.size :] == 0xAA).all()


@given(specs(), st.integers(0, 1000))
@settings(deadline=None, max_examples=150)
def test_every_element_lies_where_the_format_says_and_padding_is_zero(spec, seed):
    values = representable(spec, seed)
    buffer = np.full(spec.size, 0xAA, np.uint8)
    pack(spec, values, buffer)
    expected = np.zeros(spec.size, np.uint8)
    for place in np.ndindex(spec.dims):
        start = address(spec, *place)
        value = values[place]
        if spec.data_type is DataType.INT8:
            value = np.rint(value / np.float32(spec.scale))
        stored = np.array(value).astype(spec.data_type.numpy).tobytes()
        expected[start : start + len(stored)] = list(stored)
    assert np.array_equal(buffer, expected)


def address(spec, n, c, h, w):
    """Say it once more, element by element, from NvInferRuntime.h."""
    e, line, plane = spec.data_type.itemsize, spec.line_stride, spec.plane_stride
    channels, height = spec.dims[1:3]
    if spec.layout is Layout.DLA_HWC4:
        stored = 1 if channels == 1 else 4
        return n * height * line + h * line + (w * stored + c) * e
    if spec.layout in {Layout.CHW16, Layout.CHW32}:
        g = 32 // e
        groups = -(-channels // g)
        return (n * groups + c // g) * plane + h * line + w * 32 + (c % g) * e
    return (n * channels + c) * plane + h * line + w * e


@pytest.mark.parametrize(
    ('layout', 'data_type', 'shape'),
    [
        (Layout.LINEAR, DataType.FP32, (2, 3, 5, 7)),
        (Layout.DLA_LINEAR, DataType.INT8, (2, 3, 5, 7)),
        (Layout.DLA_HWC4, DataType.INT8, (2, 5, 7, 4)),
        (Layout.CHW16, DataType.FP16, (2, 1, 5, 7, 16)),
        (Layout.CHW32, DataType.INT8, (2, 1, 5, 7, 32)),
    ],
)
def test_a_view_shares_the_memory(layout, data_type, shape):
    spec = lay_out('x', (2, 3, 5, 7), data_type, layout)
    buffer = np.zeros(spec.size, np.uint8)
    view = to_view(spec, buffer)
    assert view.shape == shape
    view[(-1,) * view.ndim] = 1
    assert buffer.any()


def test_one_grey_channel_of_hwc4_is_not_widened():
    spec = lay_out('x', (1, 1, 2, 3), DataType.INT8, Layout.DLA_HWC4)
    assert to_view(spec, np.zeros(spec.size, np.uint8)).shape == (1, 2, 3, 1)


def test_half_a_step_goes_away_from_zero_and_the_rest_saturates():
    values = [0.25, -0.25, 0.75, 1.25, -1.25, 0.249999, 1000, -1000, np.inf, -np.inf, np.nan]
    spec = lay_out('x', (1, 1, 1, len(values)), DataType.INT8, Layout.LINEAR, 0.5)
    buffer = np.zeros(spec.size, np.uint8)
    pack(spec, np.array(values, np.float32).reshape(spec.dims), buffer)
    assert buffer.view(np.int8).tolist() == [1, -1, 2, 3, -3, 0, 127, -128, 127, -128, 0]


def test_the_largest_number_below_half_is_zero():
    spec = lay_out('x', (1, 1, 1, 1), DataType.INT8, Layout.LINEAR, 1.0)
    buffer = np.zeros(1, np.uint8)
    pack(spec, np.full(spec.dims, np.nextafter(np.float32(0.5), np.float32(0))), buffer)
    assert buffer[0] == 0


def test_a_large_number_becomes_infinite_in_fp16_without_a_warning():
    spec = lay_out('x', (1, 1, 1, 1), DataType.FP16, Layout.LINEAR)
    buffer = np.zeros(spec.size, np.uint8)
    pack(spec, np.full(spec.dims, 1e6, np.float32), buffer)
    assert np.isinf(unpack(spec, buffer))


@pytest.mark.parametrize('scale', [None, 0.0, -1.0, float('nan'), float('inf')])
def test_int8_without_a_usable_scale_says_where_to_write_it(scale):
    spec = lay_out('images', (1, 1, 1, 1), DataType.INT8, Layout.LINEAR, scale)
    buffer = np.zeros(spec.size, np.uint8)
    for attempt in (
        lambda: unpack(spec, buffer),
        lambda: pack(spec, np.zeros(spec.dims, np.float32), buffer),
    ):
        with pytest.raises(TensorError, match=r'images.*deployment record'):
            attempt()


def test_a_small_buffer_is_refused_with_both_sizes():
    spec = lay_out('images', (1, 3, 4, 4), DataType.FP16, Layout.CHW16)
    with pytest.raises(TensorError, match=f'{spec.size} bytes, the buffer has {spec.size - 1}'):
        to_view(spec, np.zeros(spec.size - 1, np.uint8))


def test_memory_of_another_kind_is_refused():
    spec = lay_out('images', (1, 3, 4, 4), DataType.FP16, Layout.CHW16)
    for memory in (
        np.zeros(spec.size, np.int8),
        np.zeros(spec.size * 2, np.uint8)[::2],
        np.zeros((1, spec.size), np.uint8),
    ):
        with pytest.raises(TensorError, match='contiguous row of uint8'):
            to_view(spec, memory)


def test_a_driver_that_contradicts_itself_is_refused():
    spec = replace(lay_out('x', (1, 64, 32, 60), DataType.INT8, Layout.DLA_LINEAR), size=1000)
    with pytest.raises(TensorError, match='reach beyond its 1000 bytes'):
        to_view(spec, np.zeros(5000, np.uint8))


def test_values_of_another_shape_are_refused():
    spec = lay_out('images', (1, 3, 4, 4), DataType.FP16, Layout.CHW16)
    with pytest.raises(TensorError, match=r'\(1, 3, 4, 5\)'):
        pack(spec, np.zeros((1, 3, 4, 5), np.float32), np.zeros(spec.size, np.uint8))
