"""
Measure a camera picture's way into a network input, against the usual way of Python nodes.

Both start from the bytes of an rgb8 message. The usual way (cv_bridge, OpenCV, NumPy) ends in a
contiguous NCHW fp16 array, letterboxed, / 255; ours in the DLA's own layout, which writes more
bytes. Run: python benchmarks/host_preprocess.py
"""

import argparse
from array import array
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, product
from multiprocessing import get_context
from statistics import median
import time

import cv2
from dla_ros.images.image import to_image_view
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.preprocess.threads import use_one_thread
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
from machine import describe
import numpy as np

SOURCES = {'720p': (720, 1280), '1080p': (1080, 1920), '4K': (2160, 3840)}
NETWORKS = (640, 416)
USUAL = 'usual way'
THREADS = "fp16:chw16, OpenCV's threads"
FORMS = {
    'fp16:chw16': (DataType.FP16, Layout.CHW16),
    'int8:chw32': (DataType.INT8, Layout.CHW32),
}


def usual_way(data, height, width, network):
    """Do what most Python nodes do, as well as they do it."""
    rgb = np.frombuffer(data, np.uint8).reshape(height, width, 3)
    bgr = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)  # imgmsg_to_cv2(message, 'bgr8')
    scale = min(network / height, network / width)
    size = round(width * scale), round(height * scale)
    small = cv2.resize(bgr, size)
    left, top = (network - size[0]) // 2, (network - size[1]) // 2
    right, bottom = network - size[0] - left, network - size[1] - top
    grey = (114, 114, 114)
    boxed = cv2.copyMakeBorder(small, top, bottom, left, right, cv2.BORDER_CONSTANT, value=grey)
    real = cv2.cvtColor(boxed, cv2.COLOR_BGR2RGB).astype(np.float32) / 255
    return np.ascontiguousarray(real.transpose(2, 0, 1)[np.newaxis]).astype(np.float16)


def our_way(form, height, width, network):
    """Give the function that a slot runs for each frame."""
    spec = lay_out('images', (1, 3, network, network), *FORMS[form], scale=1 / 127)
    preprocessor = HostPreprocessor.open(Preprocessing(), spec)
    out = np.zeros(spec.size, np.uint8)

    def prepare(data):
        view = to_image_view(data, height=height, width=width, encoding='rgb8', step=width * 3)
        preprocessor.prepare(view, out)

    return prepare


def measure(work, frames, repeats):
    """Give the medians (wall ms, CPU ms of all threads) of one frame."""
    walls, cpus = [], []
    for count, data in zip(range(repeats + 5), cycle(frames), strict=False):
        wall, cpu = time.perf_counter(), time.process_time()
        work(data)
        if count >= 5:  # the first ones take memory
            walls.append(time.perf_counter() - wall)
            cpus.append(time.process_time() - cpu)
    return median(walls) * 1e3, median(cpus) * 1e3


def run_case(way, name, network, repeats):
    """Measure one way for one size; in a process of its own, as malloc learns from the past."""
    height, width = SOURCES[name]
    rng = np.random.default_rng(0)
    frames = [array('B', rng.bytes(height * width * 3)) for _ in range(4)]
    time.sleep(0.5)  # NumPy's BLAS threads, started by the import, spin for a while
    if way == USUAL:
        return measure(lambda data: usual_way(data, height, width, network), frames, repeats)
    if way in FORMS:
        use_one_thread()
    form = way if way in FORMS else next(iter(FORMS))
    return measure(our_way(form, height, width, network), frames, repeats)


def main():
    """Print one line for each way, and how much more CPU the usual way takes."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--repeats', type=int, default=80)
    repeats = parser.parse_args().repeats
    print(describe())
    print(f'OpenCV {cv2.__version__}, medians of {repeats} frames; usual CPU / CPU at the right')
    for name, network in product(SOURCES, NETWORKS):
        usual = None
        for way in (USUAL, THREADS, *FORMS):
            with ProcessPoolExecutor(1, get_context('spawn')) as process:
                wall, cpu = process.submit(run_case, way, name, network, repeats).result()
            usual = usual or cpu
            times = f'wall {wall:6.2f} ms  CPU {cpu:6.2f} ms'
            print(f'{name:>5} -> {network}  {way:<28} {times}  {usual / cpu:5.1f}')


if __name__ == '__main__':
    main()
