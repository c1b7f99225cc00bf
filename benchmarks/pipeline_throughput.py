"""
Measure how busy the pipeline keeps a DLA core.

The DLA is emulated: 5 ms for each task, a network that costs nothing, so the most there can be is
1/T = 200 frames a second. 1080p rgb8 frames come as fast as they are taken: one always waits.
Latency is from the offer to the result, the wait for a slot included. CPU is the whole process,
the emulator included. Run:  .venv/bin/python benchmarks/pipeline_throughput.py [--seconds 5]
"""

import argparse
from contextlib import ExitStack
from pathlib import Path
import statistics
import tempfile
from threading import Event
import time

from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator import EmulatorOptions, start
from dla_ros.emulator.build import emulate
from dla_ros.engines.cudla.engine import CudlaEngine
from dla_ros.heads.registry import open_head
from dla_ros.images.image import ImageView
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.scene.null_network import build_null_network
from machine import describe
import numpy as np

TASK_MS = 5.0
NETWORK_HW = (416, 416)
EMULATION = EmulatorOptions(task_ms=TASK_MS, network='none')


class Feed:
    """Offer the next frame with each result, and keep the times."""

    def __init__(self, engine, device, slots):
        self.ended_s, self.totals_ms, self.preprocess_ms = [], [], []
        self.is_over = Event()
        self.view = ImageView('rgb8', 1080, 1920, (np.zeros((1080, 1920, 3), np.uint8),))
        head = open_head('centernet', engine.inputs[0], engine.outputs, {'activation': 'none'})
        self.pipeline = Pipeline.open(
            engine, device, head, Preprocessing(), slots=slots,
            on_result=self.on_result, on_invalid=print, on_failure=print,
        )  # fmt: skip
        self.slots = slots

    def start(self):
        for number in range(self.slots + 1):
            # A source for each, so that none takes the place of another.
            self.offer(f'camera {number}')

    def offer(self, source):
        self.pipeline.offer(Frame(source, None, lambda: self.view))

    def on_result(self, result):
        self.ended_s.append(time.perf_counter())
        self.totals_ms.append(result.timings.total_ms)
        self.preprocess_ms.append(result.timings.preprocess_ms)
        if not self.is_over.is_set():
            self.offer(result.frame.source)

    def rate(self):
        """Give frames a second, between the first result and the last."""
        return (len(self.ended_s) - 1) / (self.ended_s[-1] - self.ended_s[0])


def run(path, seconds, cores, slots):
    """Run a pipeline on each core at once; give rate (of all), CPU ms a frame, feeds."""
    with ExitStack() as held:
        start(EMULATION)
        device = held.enter_context(HostDevice.open())
        feeds = []
        for core in cores:
            engine = CudlaEngine.open(path, device, dla_core=core, is_emulated=True)
            held.callback(engine.close)
            feeds.append(Feed(engine, device, slots))
            held.callback(feeds[-1].pipeline.close)
        cpu_s = time.process_time()
        for feed in feeds:
            feed.start()
        time.sleep(seconds)
        cpu_s = time.process_time() - cpu_s
        frames = sum(len(feed.ended_s) for feed in feeds)
        for feed in feeds:
            feed.is_over.set()
            feed.pipeline.drain()
    return sum(feed.rate() for feed in feeds), cpu_s / frames * 1e3, feeds


def report(path, options, cores, slots):
    """Print one line, medians over the repetitions; give the rate."""
    runs = [run(path, options.seconds, cores, slots) for _ in range(options.repeat)]
    rate = statistics.median(each[0] for each in runs)
    cpu_ms = statistics.median(each[1] for each in runs)
    feeds = [feed for each in runs for feed in each[2]]
    totals = sorted(value for feed in feeds for value in feed.totals_ms)
    preprocess = statistics.median(value for feed in feeds for value in feed.preprocess_ms)
    p50, p99 = (totals[int(len(totals) * part)] for part in (0.5, 0.99))
    share = rate * TASK_MS / 1e3 / len(cores)
    print(
        f'{len(cores):5} | {slots:5} | {rate:8.1f} | {share:10.1%} | {cpu_ms:12.2f} | '
        f'{preprocess:13.2f} | {p50:5.1f} / {p99:.1f}',
        flush=True,
    )
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--seconds', type=float, default=5.0, help='of each run')
    parser.add_argument('--repeat', type=int, default=3, help='runs; medians are printed')
    options = parser.parse_args()
    print(describe())
    print('cores | slots | frames/s | of 1/T     | CPU ms/frame | preprocess ms | p50 / p99 ms')
    with tempfile.TemporaryDirectory() as folder:
        model, path = Path(folder) / 'null.onnx', Path(folder) / 'null.dla'
        model.write_bytes(build_null_network(NETWORK_HW))
        emulate(model, path, input_format='fp16:chw16', output_format='fp16:chw16')
        one = [report(path, options, [0], slots) for slots in (1, 2, 3)]
        two = report(path, options, [0, 1], 2)
    print(f'two slots against one: {one[1] / one[0]:.2f}; two cores against one: ', end='')
    print(f'{two / one[1]:.2f}')


if __name__ == '__main__':
    main()
