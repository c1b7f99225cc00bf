"""
Time decoding and suppression of each head, at the sizes of its COCO model.

Outputs are noise in which some tens of places reach the threshold, as in a busy picture.
"""

from statistics import median
from time import perf_counter_ns

from dla_ros.heads.nms import non_maximum_suppression
from dla_ros.heads.registry import open_head
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
from machine import describe
import numpy as np

RUNS = 200
THRESHOLD = 0.4
GRIDS = ((80, 80), (40, 40), (20, 20))
PRIORS = {
    'strides': [8, 16, 32, 64, 100, 300],
    'min_sizes': [30, 60, 111, 162, 213, 264],
    'max_sizes': [60, 111, 162, 213, 264, 315],
    'aspect_ratios': [[2], [2, 3], [2, 3], [2, 3], [2], [2]],
}


def maps(channels):
    """Give the sizes of three scales at 640 x 640."""
    return [(1, channels, *grid) for grid in GRIDS]


# Name, head, input, outputs, options, mean of the noise that gives the wanted share.
CASES = (
    ('nanodet 416', 'nanodet', 416, [(1, 124, s, s) for s in (52, 26, 13)], {'reg_max': 10}, -4.2),
    ('yolox, cut', 'yolox', 640, maps(85), {}, -2.4),
    ('yolov8, exported', 'yolov8', 640, [(1, 84, 1, 8400)], {'activation': 'sigmoid'}, -4.4),
    ('yolov8, cut', 'yolov8', 640, maps(144), {}, -4.4),
    ('yolov5', 'yolov5', 640, maps(255), {}, -2.6),
    ('ssd300', 'ssd', 300, [(1, 8732, 1, 81), (1, 8732, 1, 4)], {'priors': PRIORS}, 0.0),
    ('detectnet_v2', 'detectnet_v2', 544, [(1, 3, 34, 34), (1, 12, 34, 34)],
     {'activation': 'sigmoid'}, -2.8),
    ('centernet', 'centernet', 512, [(1, 80, 128, 128), (1, 2, 128, 128), (1, 2, 128, 128)], {},
     -4.6),
)  # fmt: skip


def spec(name, dims):
    """Give a plain float tensor."""
    return lay_out(name, dims, DataType.FP32, Layout.LINEAR)


def outputs_of(title, sizes, mean):
    """Give noise of the outputs' sizes, boxes with an area."""
    noise = np.random.default_rng(0)
    arrays = [noise.normal(mean, 1.0, dims).astype(np.float32) for dims in sizes]
    if title == 'yolov8, exported':
        arrays[0][:, :4] = noise.uniform(20, 600, arrays[0][:, :4].shape)
    if title == 'ssd300':
        arrays[0][..., 0] += 3.5  # the background leads
    if title in {'centernet', 'detectnet_v2'}:
        arrays[1:] = [np.abs(array) for array in arrays[1:]]
    return arrays


def time_us(work):
    """Give the median time of a call in microseconds."""
    work()
    times = []
    for _ in range(RUNS):
        start = perf_counter_ns()
        work()
        times.append(perf_counter_ns() - start)
    return median(times) / 1e3


def main():
    """Print one line for each head."""
    print(describe())
    print(f'{"head":<20}{"numbers":>9}{"candidates":>12}{"decode µs":>11}{"NMS µs":>8}')
    for title, name, size, sizes, options, mean in CASES:
        specs = tuple(spec(f'out{i}', dims) for i, dims in enumerate(sizes))
        head = open_head(name, spec('in', (1, 3, size, size)), specs, options)
        arrays = outputs_of(title, sizes, mean)
        found = head.decode(arrays, THRESHOLD)
        places = sum(int(np.prod(dims)) for dims in sizes)
        decode = time_us(lambda h=head, a=arrays: h.decode(a, THRESHOLD))
        nms = time_us(lambda f=found: non_maximum_suppression(f, 0.6, 100))
        print(f'{title:<20}{places:>9}{len(found):>12}{decode:>11.0f}{nms:>8.0f}')


if __name__ == '__main__':
    main()
