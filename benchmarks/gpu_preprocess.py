"""
Measure a picture's way into a network input on the GPU, beside what else could do it.

All numbers are microseconds, medians. event: between two CUDA events around one call; host: what
the caller spends on one call; device: one of 200 calls in a CUDA graph, so without launch gaps.
Sources are turned through, so none is in the cache from the last time. Run on a machine with a
GPU: python benchmarks/gpu_preprocess.py [--quick] [--sweep]
"""

import argparse
from statistics import median
from time import perf_counter_ns

from cuda.bindings import runtime
from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.threads import use_one_thread
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
from gpu_fused import Fused, PREPROCESSING
import gpu_rivals as rivals
from gpu_timing import device_us, event_us, host_us
from machine import describe
import numpy as np

SOURCES = {'720p': (720, 1280), '1080p': (1080, 1920), '4K': (2160, 3840)}
NETWORKS = (640, 416)
FORMS = {
    'fp16:dla_linear': (DataType.FP16, Layout.DLA_LINEAR),
    'fp16:dla_hwc4': (DataType.FP16, Layout.DLA_HWC4),
    'int8:dla_hwc4': (DataType.INT8, Layout.DLA_HWC4),
    'fp16:chw16': (DataType.FP16, Layout.CHW16),
    'int8:chw32': (DataType.INT8, Layout.CHW32),
    'fp32:linear': (DataType.FP32, Layout.LINEAR),
}
BLOCKS = ((32, 8), (32, 4), (64, 4), (32, 2), (16, 16))


def spec_of(form, network):
    return lay_out('images', (1, 3, network, network), *FORMS[form], scale=1 / 127)


def row(name, *numbers):
    shown = ('-' if each is None else f'{each:.1f}' for each in numbers)
    print(f'| {name} | ' + ' | '.join(shown) + ' |', flush=True)


def kernel_times(fused):
    handle = fused.stream.handle
    return (
        event_us(fused.launch, handle),
        host_us(lambda number: fused.launcher.launch(handle), handle),
        device_us(fused.launch, handle),
    )


def copy_times(device, fused):
    copy, buffers = rivals.copy_of(device, fused.touched_bytes, fused.stream)
    handle = fused.stream.handle
    times = event_us(copy, handle), host_us(copy, handle), device_us(copy, handle)
    for buffer in buffers:
        buffer.close()
    return times


def staged_times(fused):
    """Give host time of ``prepare``, and the time until the input is written, over 100 frames."""
    host, whole = [], []
    for _ in range(100):
        started = perf_counter_ns()
        fused.prepare()
        host.append(perf_counter_ns() - started)
        fused.stream.synchronize()
        whole.append(perf_counter_ns() - started)
    return median(host[10:]) / 1000, median(whole[10:]) / 1000


def cpu_us(fused):
    preprocessor = HostPreprocessor.open(PREPROCESSING, fused.spec)
    out, times = np.zeros(fused.spec.size, np.uint8), []
    for _ in range(40):
        started = perf_counter_ns()
        preprocessor.prepare(fused.image, out)
        times.append(perf_counter_ns() - started)
    return median(times[5:]) / 1000


def ours(device, form, networks):
    print(f'\n## {form}\n')
    print('| source, network | kernel event | host | device | with all rows: event | device '
          '| copy of the bytes: event | host | device | staged: host | until written '
          '| integrated: until written | on the CPU |')  # fmt: skip
    print('|---' + '|---:' * 12 + '|')
    for name, source_hw in SOURCES.items():
        for network in networks:
            spec = spec_of(form, network)
            fused = Fused(device, spec, source_hw)
            times = [*kernel_times(fused)]
            whole = Fused(device, spec, source_hw, picks=False)
            event, _, alone = kernel_times(whole)
            whole.close()
            times += [event, alone, *copy_times(device, fused), *staged_times(fused)]
            with CudaDevice.open(is_integrated=True) as mapped:
                zero_copy = Fused(mapped, spec, source_hw)
                times.append(staged_times(zero_copy)[1])
                zero_copy.close()
            row(f'{name}, {network}', *times, cpu_us(fused))
            fused.close()


def others(device):
    print('\n## What else could do it, to 640x640\n')
    print('| source | way | event | host | device |\n|---|---|---:|---:|---:|')
    makers = {
        'CuPy, op by op': rivals.cupy_ops,
        'torch, op by op': rivals.torch_ops,
        'CV-CUDA, one call, no padding, fp32 planes': rivals.cvcuda_fused,
        'CV-CUDA, chain with padding, fp32 planes': rivals.cvcuda_chain,
    }
    for name, source_hw in SOURCES.items():
        fused = Fused(device, spec_of('fp16:dla_linear', 640), source_hw)
        sources = [np.random.default_rng(i).integers(0, 256, (*source_hw, 3), np.uint8)
                   for i in range(8)]  # fmt: skip
        row(f'{name} | ours, fp16:dla_linear', *kernel_times(fused))
        for what, make in makers.items():
            try:
                work = make(sources, source_hw, fused.letterbox, fused.stream)
            except ImportError as error:
                print(f'| {name} | {what} | not installed: {error} | | |')
                continue
            handle = fused.stream.handle
            times = event_us(work, handle), host_us(work, handle)
            row(f'{name} | {what}', *times, device_us(work, handle))
        fused.close()
    stream = device.open_stream()
    try:
        launch = rivals.cupy_launch(stream)
        row('any | launch of an empty kernel by CuPy', event_us(launch, stream.handle),
            host_us(launch, stream.handle), None)  # fmt: skip
    except ImportError as error:
        print(f'| any | CuPy is not installed: {error} | | | |')
    stream.close()


def sweep(device):
    print('\n## Shapes of a block of threads, 1080p and 4K to 640: device us\n')
    print('| form | block | 1080p | 4K |\n|---|---|---:|---:|')
    for form in FORMS:
        for block in BLOCKS:
            times = []
            for source in ('1080p', '4K'):
                fused = Fused(device, spec_of(form, 640), SOURCES[source], block=block)
                times.append(device_us(fused.launch, fused.stream.handle, 10))
                fused.close()
            row(f'{form} | {block[0]}x{block[1]}', *times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--quick', action='store_true', help='two forms, network 640 only')
    parser.add_argument('--sweep', action='store_true', help='try other launch shapes as well')
    options = parser.parse_args()
    use_one_thread()
    print(describe())
    with CudaDevice.open() as device:
        name = runtime.cudaGetDeviceProperties(0)[1].name.decode()
        driver = runtime.cudaDriverGetVersion()[1]
        print(f'{name}, driver for CUDA {driver // 1000}.{driver % 1000 // 10}')
        for form in list(FORMS)[: 2 if options.quick else None]:
            ours(device, form, NETWORKS[:1] if options.quick else NETWORKS)
        others(device)
        if options.sweep:
            sweep(device)


if __name__ == '__main__':
    main()
