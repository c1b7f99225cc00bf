"""The decoding kernels compile for every GPU that matters, and on one find what heads find."""

from pathlib import Path

from dla_ros.devices.cuda.compiler import compiled
from dla_ros.devices.cuda.memory import copy_to_device
from dla_ros.heads import cuda
from dla_ros.heads.cuda.decoder import CAPACITY, CudaDecoder
from dla_ros.heads.registry import HEADS
import pytest

SOURCES = sorted(Path(cuda.__file__).parent.glob('*.cu'))


@pytest.mark.parametrize('architecture', ['sm_87', 'sm_90', 'sm_110', 'sm_121'])
@pytest.mark.parametrize('source', SOURCES, ids=lambda source: source.stem)
def test_the_kernels_compile_without_spills(source, architecture):
    made = compiled(source, (), architecture)
    assert made.log.count(' 0 bytes spill stores, 0 bytes spill loads') == 1
    assert f"entry function '{source.stem}'" in made.log


def test_every_kernel_is_a_head_of_its_name():
    assert {source.stem for source in SOURCES} <= set(HEADS)


@pytest.mark.parametrize('confidence', [0.0, 0.5])
def test_the_gpu_finds_what_the_head_finds(gpu, make_case, assert_same, confidence):
    stream = gpu.open_stream()
    for seed in range(3):
        case = make_case(seed)
        buffers = [gpu.allocate(spec.size) for spec in case.specs]
        pinned = [gpu.pin(spec.size) for spec in case.specs]
        for buffer, memory, values in zip(buffers, pinned, case.buffers, strict=True):
            memory.host[:] = values
            copy_to_device(buffer.address, memory.pointer, buffer.nbytes, stream)
        decoder = CudaDecoder.open(case.plan, case.specs, buffers, gpu)
        for _ in range(2):
            decoder.enqueue(stream, confidence)
            stream.synchronize()
        found, wanted = decoder.take(), case.decode_on_cpu(confidence)
        assert (found is None) == (len(wanted) > CAPACITY)
        if found is not None:
            assert_same(found, wanted)
        for each in (decoder, *buffers, *pinned):
            each.close()
    stream.close()
