from dla_ros.errors import TensorError
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import pytest

FP32, FP16, INT8 = DataType.FP32, DataType.FP16, DataType.INT8

# dims, type, layout, line stride, plane stride, size: read from drivers and files
REPORTED = {
    'orin input': ((1, 4, 512, 960), INT8, Layout.DLA_HWC4, 3840, 0, 1966080),
    'orin output': ((1, 64, 32, 60), INT8, Layout.DLA_LINEAR, 64, 2048, 131072),
    'nvdla data': ((1, 1, 28, 28), FP16, Layout.CHW16, 896, 25088, 25088),
    'nvdla prob': ((1, 10, 1, 1), FP16, Layout.CHW16, 32, 32, 32),
}
IMAGE_300 = (1, 3, 300, 300)
IMAGE_VGA = (1, 3, 480, 640)
WORKED = {
    'linear fp16': (IMAGE_300, FP16, Layout.DLA_LINEAR, 640, 192000, 576000),
    'linear int8': (IMAGE_300, INT8, Layout.DLA_LINEAR, 320, 96000, 288000),
    'hwc4 fp16': (IMAGE_300, FP16, Layout.DLA_HWC4, 2432, 0, 729600),
    'hwc4 int8': (IMAGE_300, INT8, Layout.DLA_HWC4, 1216, 0, 364800),
    'chw16': (IMAGE_300, FP16, Layout.CHW16, 9600, 2880000, 2880000),
    'chw32': (IMAGE_300, INT8, Layout.CHW32, 9600, 2880000, 2880000),
    'vga linear fp16': (IMAGE_VGA, FP16, Layout.DLA_LINEAR, 1280, 614400, 1843200),
    'vga linear int8': (IMAGE_VGA, INT8, Layout.DLA_LINEAR, 640, 307200, 921600),
    'vga hwc4 fp16': (IMAGE_VGA, FP16, Layout.DLA_HWC4, 5120, 0, 2457600),
    'vga hwc4 int8': (IMAGE_VGA, INT8, Layout.DLA_HWC4, 2560, 0, 1228800),
    'vga chw16': (IMAGE_VGA, FP16, Layout.CHW16, 20480, 9830400, 9830400),
    'vga chw32': (IMAGE_VGA, INT8, Layout.CHW32, 20480, 9830400, 9830400),
    'onnx': (IMAGE_300, FP32, Layout.LINEAR, 1200, 360000, 1080000),
    '255 channels': ((1, 255, 84, 84), FP16, Layout.CHW16, 2688, 225792, 16 * 225792),
    'batch of two': ((2, 64, 32, 60), INT8, Layout.DLA_LINEAR, 64, 2048, 262144),
}


@pytest.mark.parametrize('row', [*REPORTED.values(), *WORKED.values()], ids=[*REPORTED, *WORKED])
def test_the_formula_gives_what_drivers_report(row):
    dims, data_type, layout, line, plane, size = row
    spec = lay_out('x', dims, data_type, layout)
    assert (spec.line_stride, spec.plane_stride, spec.size) == (line, plane, size)


@pytest.mark.parametrize(
    ('dims', 'data_type', 'layout', 'said'),
    [
        ((1, 3, 4, 4), INT8, Layout.CHW16, 'chw16 holds fp16'),
        ((1, 3, 4, 4), FP16, Layout.CHW32, 'chw32 holds int8'),
        ((1, 3, 4, 4), FP32, Layout.DLA_LINEAR, 'fp32:dla_linear does not exist'),
        ((1, 3, 4, 4), FP32, Layout.CHW16, 'fp32:chw16 does not exist'),
        ((1, 2, 4, 4), INT8, Layout.DLA_HWC4, '1, 3 or 4 channels, not 2'),
        ((1, 16, 4, 4), FP16, Layout.DLA_HWC4, '1, 3 or 4 channels, not 16'),
        ((1, 3, 0, 4), FP16, Layout.CHW16, '1x3x0x4'),
        ((1, 3, 4, 8193), FP16, Layout.CHW16, '8192'),
        ((4097, 3, 4, 4), FP16, Layout.CHW16, '4096'),
    ],
)
def test_what_a_dla_cannot_hold_is_refused(dims, data_type, layout, said):
    with pytest.raises(TensorError, match=said) as caught:
        lay_out('images', dims, data_type, layout)
    assert 'images' in str(caught.value)


def test_plain_linear_has_no_limit_of_the_dla():
    assert lay_out('x', (1, 84, 1, 33600), FP32, Layout.LINEAR).size == 84 * 33600 * 4
