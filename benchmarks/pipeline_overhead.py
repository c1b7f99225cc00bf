"""
Measure what the pipeline itself costs: streams, slots, hand-overs, counting.

The picture has one pixel and the network does nothing, so that preparing (of 416 x 416 padding,
written once) and inference are next to nothing. Each frame is offered when the one before has
come out. Run:  .venv/bin/python benchmarks/pipeline_overhead.py
"""

import argparse
import statistics
import time

from dla_ros.devices.host.device import HostDevice
from dla_ros.images.image import ImageView
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from machine import describe
import numpy as np
from sleeping_engine import NoBoxes, SleepingEngine


def measure_stream(device, count):
    """Give the median microseconds from enqueueing nothing to the end of the wait for it."""
    stream, event, times = device.open_stream(), device.open_event(), []
    for _ in range(count):
        start = time.perf_counter()
        stream.enqueue(int)
        event.record(stream)
        event.wait()
        times.append(time.perf_counter() - start)
    stream.close()
    return statistics.median(times) * 1e6


def measure_pipeline(device, count):
    """Give microseconds of CPU per frame (process, offer alone) and the median receipt-result."""
    view = ImageView('rgb8', 1, 64, (np.zeros((1, 64, 3), np.uint8),))
    totals, offer_s = [], 0.0
    with Pipeline.open(
        SleepingEngine(device, 0.0), device, NoBoxes(), Preprocessing(padding=Padding.CENTER),
        on_result=lambda result: totals.append(result.timings.total_ms),
        on_invalid=print, on_failure=print,
    ) as pipeline:  # fmt: skip
        cpu_s = time.process_time()
        for _ in range(count):
            frame = Frame('camera', None, lambda: view)
            start = time.thread_time()
            pipeline.offer(frame)
            offer_s += time.thread_time() - start
            pipeline.drain()
        cpu_s = time.process_time() - cpu_s
    return cpu_s / count * 1e6, offer_s / count * 1e6, statistics.median(totals) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--frames', type=int, default=3000)
    count = parser.parse_args().frames
    print(describe())
    with HostDevice.open() as device:
        print(f'host stream, enqueue to end of wait: {measure_stream(device, count):.1f} us')
        runs = [measure_pipeline(device, count) for _ in range(3)]
    cpu, offer, total = (statistics.median(values) for values in zip(*runs, strict=True))
    print(f'pipeline: {cpu:.0f} us of CPU a frame, {offer:.0f} us of them in offer')
    print(f'receipt to result: {total:.0f} us')


if __name__ == '__main__':
    main()
