"""
Measure how cameras share a detector, and how detectors share a core.

The DLA is emulated: 16 ms for each task, so a core can do 62.5 a second; it takes tasks in the
order of their arrival. The network costs nothing. Latency is from the offer of an image to its
result, waiting included. Run:  .venv/bin/python benchmarks/fairness.py [--seconds 8]
"""

import argparse
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
import tempfile
from threading import Event, Thread
import time

from container_threads import null_engine
from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.images.image import ImageView
from dla_ros.pipeline.frame import Frame
from machine import describe
import numpy as np

TASK_MS = 16
VIEW = ImageView('rgb8', 480, 640, (np.zeros((480, 640, 3), np.uint8),))
# Hz of each camera; flood comes as fast as a thread can offer it, with a pause of a millisecond
CAMERAS = {
    'two that are served in full': {'left': 15, 'right': 30},
    'a calm one beside a flood': {'calm': 15, 'flood': 900},
    'four on one core': {'front': 30, 'rear': 30, 'left': 30, 'right': 30},
    'three and a flood': {'slow': 5, 'usual': 15, 'quick': 30, 'flood': 900},
}
# slots and Hz of each detector, one camera each, all on core 0
DETECTORS = {
    'two alike, both with too much': {'one': (2, 60), 'two': (2, 60)},
    'a calm one beside a flood': {'calm': (2, 15), 'flood': (2, 900)},
    'one slot beside two': {'one slot': (1, 900), 'two slots': (2, 900)},
    'one slot beside four': {'one slot': (1, 900), 'four slots': (4, 900)},
}


class Sink:
    """Open a detector and note when each source had its results."""

    def __init__(self, engine, slots):
        self.latencies_ms = defaultdict(list)
        values = {
            'engine_file_path': str(engine), 'dla_device': 'emulator', 'slots': slots,
            'dla_emulator_options': f'network=none,task_ms={TASK_MS}', 'task_timeout_ms': 10_000,
        }  # fmt: skip
        self.detector = Detector.open(
            DetectorConfig.of(values), on_result=self.on_result, on_invalid=print, on_failure=print
        )

    def on_result(self, result):
        self.latencies_ms[result.frame.source].append(result.timings.total_ms)

    def offer(self, source):
        self.detector.offer(Frame(source, None, lambda: VIEW))


def feed(sink, source, rate, is_over):
    """Offer images of a source at its rate."""
    due = time.monotonic()
    while not is_over.is_set():
        sink.offer(source)
        due += 1 / rate
        time.sleep(max(0.0, due - time.monotonic()))


def run(pairs, seconds):
    """Feed (sink, source, rate) for a while."""
    is_over = Event()
    threads = [Thread(target=feed, args=(*pair, is_over)) for pair in pairs]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    is_over.set()
    for thread in threads:
        thread.join()
    for sink, _, _ in pairs:
        sink.detector.drain()


def report(rows, seconds):
    """Print a line for each (name, sink, source, rate); the first column is the case."""
    for name, sink, source, rate in rows:
        counts, latencies = sink.detector.counts.of(source), sink.latencies_ms[source]
        p50, p99 = np.percentile(latencies, (50, 99))
        print(
            f'  {name:11} | {rate:4} | {counts.received / seconds:7.1f} | '
            f'{counts.processed / seconds:9.1f} | {counts.superseded / seconds:10.1f} | '
            f'{p50:6.1f} / {p99:.1f}',
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--seconds', type=float, default=8.0)
    seconds = parser.parse_args().seconds
    print(describe())
    header = '  source      |   Hz | offered/s | detected/s | left out/s | latency p50 / p99 ms'
    with tempfile.TemporaryDirectory() as folder:
        engine = null_engine(Path(folder))
        print(f'cameras of one detector, two slots, a core of {1000 / TASK_MS:.1f} tasks/s')
        print(header)
        for title, cameras in CAMERAS.items():
            print(f' {title}')
            sink = Sink(engine, 2)
            with sink.detector:
                run([(sink, source, rate) for source, rate in cameras.items()], seconds)
                report([(source, sink, source, rate) for source, rate in cameras.items()], seconds)
        print('detectors of one process on one core, a camera each')
        print(header)
        for title, detectors in DETECTORS.items():
            print(f' {title}')
            with ExitStack() as held:
                sinks = {name: Sink(engine, slots) for name, (slots, _) in detectors.items()}
                for sink in sinks.values():
                    held.enter_context(sink.detector)
                rates = {name: rate for name, (_, rate) in detectors.items()}
                run([(sinks[name], 'image', rate) for name, rate in rates.items()], seconds)
                rows = [(name, sinks[name], 'image', rate) for name, rate in rates.items()]
                report(rows, seconds)


if __name__ == '__main__':
    main()
