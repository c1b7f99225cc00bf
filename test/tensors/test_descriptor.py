from dla_ros.errors import TensorError
from dla_ros.tensors.descriptor import TensorDescriptor
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import ALLOWED_TYPES, lay_out
import pytest

REST = (0, 0, 0, 0)


def reported(name, dims, codes, strides, size):
    return TensorDescriptor(name, size, dims, *codes, 0, strides)


def test_the_input_that_an_orin_reported_is_int8_hwc4():
    row = reported("input'", (1, 4, 512, 960), (2, 4, 0, 12), (1, 3840, 0, 0, *REST), 1966080)
    assert row.to_spec() == lay_out("input'", row.dims, DataType.INT8, Layout.DLA_HWC4)


def test_the_output_that_an_orin_reported_is_int8_dla_linear():
    strides = (1, 64, 2048, 2048, *REST)
    row = reported("M0_519'", (1, 64, 32, 60), (1, 4, 3, 0), strides, 131072)
    assert row.to_spec() == lay_out("M0_519'", row.dims, DataType.INT8, Layout.DLA_LINEAR)


def test_the_features_in_the_nvdla_file_are_chw16():
    row = reported('prob', (1, 10, 1, 1), (3, 2, 2, 36), (2, 32, 32, 0, *REST), 32)
    assert row.to_spec() == lay_out('prob', row.dims, DataType.FP16, Layout.CHW16)


@pytest.mark.parametrize(
    ('data_type', 'layout'),
    [
        (data_type, layout)
        for layout, types in ALLOWED_TYPES.items()
        for data_type in types
        if layout is not Layout.LINEAR
    ],
)
def test_a_spec_survives_the_way_through_a_descriptor(data_type, layout):
    spec = lay_out('x', (2, 3, 5, 7), data_type, layout, 0.5)
    assert TensorDescriptor.of(spec).to_spec(0.5) == spec


@pytest.mark.parametrize('data_type', list(DataType))
def test_plain_linear_is_nothing_that_a_dla_has(data_type):
    with pytest.raises(TensorError, match='dla_linear, dla_hwc4'):
        TensorDescriptor.of(lay_out('x', (1, 3, 4, 4), data_type, Layout.LINEAR))


def test_strides_of_a_driver_are_kept():
    row = reported('x', (1, 2, 3, 4), (1, 2, 3, 0), (2, 256, 1024, 0, *REST), 4096)
    spec = row.to_spec()
    assert (spec.line_stride, spec.plane_stride, spec.size) == (256, 1024, 4096)
