"""
Measure decoding on the GPU beside fetching, unpacking and decoding on the CPU.

Outputs are noise in which some tens of places reach the threshold, as in a busy picture. All
numbers are microseconds, medians. Run on a machine with a GPU: python benchmarks/gpu_decode.py
"""

from statistics import median
from time import perf_counter_ns

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.cuda.memory import copy_to_device
from dla_ros.heads.cuda.decoder import CudaDecoder
from dla_ros.heads.cuda.plan import plan_for
from dla_ros.heads.nms import MAX_CANDIDATES, non_maximum_suppression
from dla_ros.heads.registry import open_head
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.packing import pack, unpack
from dla_ros.tensors.spec import lay_out
from gpu_timing import device_us, event_us, host_us
from machine import describe
import numpy as np

CONFIDENCE = 0.4
GRIDS = (80, 40, 20)
PRIORS = [[i % 40 / 40, i / 2000, 0.1, 0.2] for i in range(2000)]
# Name, head, input, outputs, options, mean of the noise that gives the wanted share.
CASES = (
    ('nanodet 416', 'nanodet', 416, [(1, 124, n, n) for n in (52, 26, 13)], {'reg_max': 10}, -4.2),
    ('yolox 640', 'yolox', 640, [(1, 85, n, n) for n in GRIDS], {}, -2.4),
    ('yolov8 640', 'yolov8', 640, [(1, 144, n, n) for n in GRIDS], {}, -4.4),
    ('yolov5 640', 'yolov5', 640, [(1, 255, n, n) for n in GRIDS], {}, -2.6),
    ('detectnet_v2 544', 'detectnet_v2', 544, [(1, 3, 34, 34), (1, 12, 34, 34)],
     {'activation': 'sigmoid'}, -2.2),
    ('centernet 512', 'centernet', 512,
     [(1, 80, 128, 128), (1, 2, 128, 128), (1, 2, 128, 128)], {}, -4.6),
    ('ssd, 2000 rows', 'ssd', 300, [(1, 2000, 1, 21), (1, 2000, 1, 4)], {'priors': PRIORS}, 0.0),
)  # fmt: skip
PLAIN_BOXES = {2, 12}  # channels of outputs that are sizes, which noise below 0 would not be

FORMS = {
    'fp16:chw16': (DataType.FP16, Layout.CHW16),
    'int8:chw32': (DataType.INT8, Layout.CHW32),
    'fp16:dla_linear': (DataType.FP16, Layout.DLA_LINEAR),
}


def cpu_us(work):
    times = []
    for _ in range(60):
        started = perf_counter_ns()
        work()
        times.append(perf_counter_ns() - started)
    return median(times[5:]) / 1000


def outputs_of(device, specs, mean, stream):
    """Give device buffers full of noise, and mirrors of them."""
    rng, buffers, mirrors = np.random.default_rng(0), [], []
    for spec in specs:
        pinned = device.pin(spec.size)
        spread = 1.0 if mean else 1.4  # softmax of even noise would reach no threshold
        values = rng.normal(mean, spread, spec.dims).astype(np.float32)
        pack(spec, np.abs(values) if spec.channels in PLAIN_BOXES else values, pinned.host)
        buffers.append(device.allocate(spec.size))
        mirrors.append(device.open_mirror(buffers[-1]))
        copy_to_device(buffers[-1].address, pinned.pointer, spec.size, stream)
        mirrors[-1].fetch(stream)
        stream.synchronize()
        pinned.close()
    return buffers, mirrors


def head_of(case, form):
    """Give the head of a case, and its outputs laid out."""
    _, name, size, dims, options, _ = case
    network = lay_out('images', (1, 3, size, size), DataType.FP16, Layout.DLA_HWC4)
    specs = tuple(lay_out(f'o{i}', each, *FORMS[form], 0.08) for i, each in enumerate(dims))
    return open_head(name, network, specs, options), specs


def measure(device, case, form):
    stream = device.open_stream()
    head, specs = head_of(case, form)
    buffers, mirrors = outputs_of(device, specs, case[-1], stream)
    decoder = CudaDecoder.open(plan_for(head, specs), specs, buffers, device)

    def fetch(number):
        for mirror in mirrors:
            mirror.fetch(stream)

    def unpack_all():
        return [unpack(spec, each.host) for spec, each in zip(specs, mirrors, strict=True)]

    def decode(number):
        decoder.enqueue(stream, CONFIDENCE)

    handle, outputs = stream.handle, unpack_all()
    times = [event_us(fetch, handle), cpu_us(unpack_all)]
    times.append(cpu_us(lambda: head.decode(outputs, CONFIDENCE)))
    times += [event_us(decode, handle), host_us(decode, handle), device_us(decode, handle)]
    stream.synchronize()
    found = decoder.take()
    times.append(cpu_us(decoder.take))
    times.append(cpu_us(lambda: non_maximum_suppression(found, 0.6, MAX_CANDIDATES)))
    nbytes = sum(spec.size for spec in specs)
    print(f'| {case[0]}, {form} | {len(found)} | {nbytes} | {decoder._list.nbytes} | '
          + ' | '.join(f'{each:.0f}' for each in times) + ' |', flush=True)  # fmt: skip
    for each in (decoder, *mirrors, *buffers, stream):
        each.close()


def main():
    print(describe())
    print('\n| head, outputs | candidates | bytes of outputs | of the list | CPU: fetch | unpack '
          '| decode | GPU: event | host | device | take | suppression on the CPU |')  # fmt: skip
    print('|---' + '|---:' * 11 + '|')
    with CudaDevice.open() as device:
        for case in CASES:
            for form in FORMS:
                measure(device, case, form)


if __name__ == '__main__':
    main()
