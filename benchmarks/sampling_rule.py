"""
Measure the two bilinear rules of OpenCV, and what ``sample`` makes of them.

Also counts how many values the two rules differ in: INTER_LINEAR may be another rule on
another processor. Run: python benchmarks/sampling_rule.py
"""

import argparse
from functools import partial
import time

import cv2
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.preprocessing import Padding
from dla_ros.preprocess.sample import sample
from dla_ros.preprocess.threads import use_one_thread
from host_preprocess import measure
from machine import describe
import numpy as np

SOURCES = {'720p': (720, 1280), '1080p': (1080, 1920), '4K': (2160, 3840)}


def main():
    """Print one line for each size, network and number of channels."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--repeats', type=int, default=40)
    repeats = parser.parse_args().repeats
    use_one_thread()
    time.sleep(0.5)  # NumPy's BLAS threads, started by the import, spin for a while
    print(describe())
    print(f'OpenCV {cv2.__version__}, one thread, median CPU ms of {repeats} frames')
    for name, source in SOURCES.items():
        for network in (640, 416):
            for channels in (3, 4):
                print(f'{name:>5} -> {network}, {channels} channels: ', end='')
                print(compare(source, network, channels, repeats))


def compare(source, network, channels, repeats):
    """Describe times and differences for one case."""
    rng = np.random.default_rng(0)
    frames = [rng.integers(0, 256, (*source, channels), np.uint8) for _ in range(2)]
    fitted = Letterbox.fit(source, (network, network), Padding.CENTER)
    out = np.empty((fitted.height, fitted.width, channels), np.uint8)
    size = (fitted.width, fitted.height)
    methods = {'LINEAR': cv2.INTER_LINEAR, 'LINEAR_EXACT': cv2.INTER_LINEAR_EXACT}
    times = {}
    for name, method in methods.items():
        scale = partial(cv2.resize, dsize=size, dst=out, interpolation=method)
        times[name] = measure(scale, frames, repeats)[1]
    times['sample()'] = measure(lambda data: sample(data, out), frames, repeats)[1]
    linear, exact = (cv2.resize(frames[0], size, interpolation=each) for each in methods.values())
    differing = (linear != exact).mean() * 100
    most = np.abs(linear.astype(int) - exact).max()
    listed = ', '.join(f'{name} {cpu:.2f}' for name, cpu in times.items())
    return f'{listed}; {differing:.1f} % of values differ, by {most} at most'


if __name__ == '__main__':
    main()
