from dla_ros.engines.onnx_placement import to_placement
import pytest

TENSORRT = 'TensorrtExecutionProvider'


def test_plain_providers_are_named_in_their_order():
    providers = ('CUDAExecutionProvider', 'CPUExecutionProvider')
    assert to_placement(providers, {}) == (
        'ONNX Runtime (CUDAExecutionProvider, CPUExecutionProvider)'
    )


@pytest.mark.parametrize('on', ['1', 'True', True, 1])
def test_a_dla_below_tensorrt_is_named_with_its_core_and_the_fallback(on):
    options = {TENSORRT: {'trt_dla_enable': on, 'trt_dla_core': '1'}}
    assert to_placement((TENSORRT, 'CPUExecutionProvider'), options) == (
        'ONNX Runtime (TensorrtExecutionProvider: DLA core 1, layers it cannot take on the GPU, '
        'CPUExecutionProvider)'
    )


@pytest.mark.parametrize('off', [{}, {'trt_dla_enable': '0'}, {'trt_dla_core': '1'}])
def test_tensorrt_without_the_dla_promises_none(off):
    assert 'DLA' not in to_placement((TENSORRT,), {TENSORRT: off})
