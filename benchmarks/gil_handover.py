"""
Measure what a thread that holds Python's lock does to a frame's way through the pipeline.

A thread computes in Python for some milliseconds, sleeps 10 ms, and so on, as other nodes of a
process may; frames come at 60 Hz; the network sleeps 5 ms. Run: python benchmarks/gil_handover.py
"""

import argparse
import statistics
import sys
from threading import Event, Thread
import time

from dla_ros.devices.host.device import HostDevice
from dla_ros.images.image import ImageView
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.preprocess.preprocessing import Preprocessing
from machine import describe
import numpy as np
from sleeping_engine import NoBoxes, SleepingEngine

TASK_S = 0.005
PERIOD_S = 1 / 60


def compute(busy_s, stop):
    while not stop.is_set():
        end = time.perf_counter() + busy_s
        while time.perf_counter() < end:
            pass
        time.sleep(0.01)


def measure(frames, busy_s, interval_s):
    """Give the receipt-to-result times in ms."""
    sys.setswitchinterval(interval_s)
    device, stop, totals = HostDevice.open(), Event(), []
    view = ImageView('rgb8', 1080, 1920, (np.zeros((1080, 1920, 3), np.uint8),))
    other = Thread(target=compute, args=(busy_s, stop))
    with Pipeline.open(
        SleepingEngine(device, TASK_S), device, NoBoxes(), Preprocessing(),
        on_result=lambda result: totals.append(result.timings.total_ms),
        on_invalid=print, on_failure=print,
    ) as pipeline:  # fmt: skip
        if busy_s:
            other.start()
        for _ in range(frames):
            pipeline.offer(Frame('camera', None, lambda: view))
            time.sleep(PERIOD_S)
        pipeline.drain()
        stop.set()
    return sorted(totals)


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--frames', type=int, default=300)
    frames = parser.parse_args().frames
    print(describe())
    print('busy ms | switch interval ms | total p50 ms | p95 | p99')
    for busy_ms in (0, 5, 20):
        for interval_ms in (5.0, 0.5, 0.1):
            totals = measure(frames, busy_ms / 1e3, interval_ms / 1e3)
            p95, p99 = (totals[int(len(totals) * part)] for part in (0.95, 0.99))
            p50 = statistics.median(totals)
            print(f'{busy_ms:7} | {interval_ms:18} | {p50:12.1f} | {p95:.1f} | {p99:.1f}')


if __name__ == '__main__':
    main()
