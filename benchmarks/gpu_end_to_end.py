"""
Run the whole chain on a GPU, the emulated DLA in its midst, beside the same chain on the CPU.

First the pipeline alone, as fast as it goes: 1080p rgb8 frames, NanoDet's inputs and outputs, a
network that costs nothing. Then the node between publisher and subscriber at 30 Hz, and a bag
through the node with the real network. CPU is the whole process, emulator included. Run on a
machine with a GPU: python benchmarks/gpu_end_to_end.py [--frames 10000] [--skip-ros]
"""

import argparse
from dataclasses import dataclass, field
from pathlib import Path
import sys
import tempfile
from threading import Event
import time

from cuda.bindings import runtime
from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.devices.cuda.memory import traffic
from dla_ros.emulator.build import emulate
from dla_ros.images.image import to_image_view
from dla_ros.pipeline.frame import Frame
from machine import describe
import numpy as np

HOME = Path(__file__).resolve().parents[1]
MODEL = HOME / 'models' / 'nanodet_g_416.onnx'
HEIGHT, WIDTH = 1080, 1920
SLOTS = 2
MIB = 1 << 20


@dataclass
class Run:
    """Offer the next frame with each result, so that one always waits, and keep the figures."""

    detector: Detector | None = None
    frames: int = 0
    totals_ms: list = field(default_factory=list)
    stages_ms: list = field(default_factory=list)
    is_over: Event = field(default_factory=Event)
    error: Exception | None = None

    def __post_init__(self):
        rng = np.random.default_rng(0)
        data = [rng.integers(0, 256, HEIGHT * WIDTH * 3, np.uint8) for _ in range(4)]
        self.views = [
            to_image_view(each, height=HEIGHT, width=WIDTH, encoding='rgb8', step=WIDTH * 3)
            for each in data
        ]

    def offer(self, source):
        view = self.views[len(self.totals_ms) % len(self.views)]
        self.detector.offer(Frame(source, None, lambda: view))

    def on_result(self, result):
        took = result.timings
        self.totals_ms.append(took.total_ms)
        self.stages_ms.append((took.preprocess_ms, took.inference_ms, took.postprocess_ms))
        if len(self.totals_ms) >= self.frames:
            self.is_over.set()
        else:
            self.offer(result.frame.source)

    def fail(self, error):
        self.error = error
        self.is_over.set()

    def take(self, frames):
        """Run ``frames`` more frames."""
        self.is_over.clear()
        self.frames = len(self.totals_ms) + frames
        for number in range(SLOTS + 1):
            self.offer(f'camera {number}')
        self.is_over.wait()
        self.detector.drain(30)
        if self.error is not None:
            raise self.error


def measure(device, loadable, frames):
    config = DetectorConfig(
        engine_file_path=str(loadable), device=device, dla_device='emulator', slots=SLOTS,
        dla_emulator_options='network=none', confidence_threshold=0.6,
    )  # fmt: skip
    run = Run()
    with Detector.open(
        config, on_result=run.on_result, on_invalid=print, on_failure=run.fail
    ) as run.detector:
        run.take(200)
        run.totals_ms.clear()
        run.stages_ms.clear()
        before, started, used = memory(device), time.perf_counter(), time.process_time()
        sent, fetched = traffic.to_device, traffic.to_host
        run.take(frames)
        count = len(run.totals_ms)
        print(
            f'| {device} | {count / (time.perf_counter() - started):.0f} '
            f'| {(time.process_time() - used) / count * 1000:.2f} '
            f'| {np.percentile(run.totals_ms, 50):.2f} | {np.percentile(run.totals_ms, 99):.2f} | '
            + ' | '.join(f'{each:.2f}' for each in np.median(run.stages_ms, axis=0))
            + f' | {(traffic.to_device - sent) / count:.0f} '
            f'| {(traffic.to_host - fetched) / count:.0f} | {memory(device) - before} |',
            flush=True,
        )
    return run.detector


def memory(device):
    """Give the GPU memory in use, in bytes."""
    if device != 'cuda':
        return 0
    free, total = runtime.cudaMemGetInfo()[1:]
    return total - free


def pipelines(frames, folder):
    loadable = folder / 'nanodet.dla'
    record = emulate(MODEL, loadable, input_format='fp16:chw16', output_format='fp16:chw16')
    print(f'\n## The pipeline alone, {frames} frames of 1080p rgb8, as fast as it goes\n')
    print('| device | frames/s | CPU ms/frame | total p50 ms | p99 | preprocess | inference '
          '| postprocess | bytes to the GPU/frame | back | GPU memory grown by |')  # fmt: skip
    print('|---' * 11 + '|')
    for device in ('host', 'cuda'):
        measure(device, loadable, frames)
    print(f'\nThe emulated DLA itself copies out and back, per frame: {emulated_bytes(loadable)}; '
          f'a real one copies nothing. Record: {record.head.name}')  # fmt: skip


def emulated_bytes(loadable):
    from dla_ros.loadable.loadable import Loadable

    loaded = Loadable.read(loadable.read_bytes(), str(loadable))
    sizes = [sum(tensor.size for tensor in each) for each in (loaded.inputs, loaded.outputs)]
    return f'{sizes[0]} out (inputs), {sizes[1]} back (outputs)'


def nodes(seconds):
    import node_cost

    print(f'\n## The node, 1080p rgb8 at 30 Hz for {seconds} s, a network that costs nothing\n')
    print(
        '| device | answers | p50 ms | p99 | node CPU ms/frame | slowest, by number |\n'
        '|---|---:|---:|---:|---:|---|'
    )
    for device in ('host', 'cuda'):
        command, extra, is_reliable = node_cost.ours()
        command = [*command, '-p', f'device:={device}']
        frames = int(seconds * node_cost.HZ)
        found = node_cost.measure((command, extra, is_reliable), frames)
        latencies = found['latencies']
        slow = ', '.join(f'{i}: {latencies[i]:.1f}' for i in np.argsort(-latencies)[:4])
        print(f'| {device} | {len(latencies)} of {frames} | {np.percentile(latencies, 50):.2f} '
              f'| {np.percentile(latencies, 99):.2f} | {found["cpu"] / frames * 1000:.2f} '
              f'| {slow} |',
              flush=True)  # fmt: skip


def bags(folder):
    from dla_ros.demo import run as demo
    from rich.console import Console

    print('\n## A bag through the node, NanoDet on the emulated DLA\n')
    loadable = folder / 'nanodet.dla'
    arguments, seen = demo._node_arguments, {}
    for device in ('host', 'cuda'):
        out = folder / device
        out.mkdir()
        demo._node_arguments = lambda *each, device=device: [
            *arguments(*each), '-p', f'device:={device}'
        ]  # fmt: skip
        console = Console(file=sys.stderr)
        seen[device] = demo.run_detector(
            HOME / 'data' / 'pedestrians', loadable, out, rate=1.0, console=console
        )
        boxes = sum(len(each) for each in seen[device].detections.values())
        print(f'{device}: {len(seen[device].detections)} images answered, {boxes} boxes; '
              f'{dict(seen[device].figures)}')  # fmt: skip
    print('agreement:', agreement(seen['host'].detections, seen['cuda'].detections))


def agreement(left, right):
    shared = left.keys() & right.keys()
    same = [len(left[i]) == len(right[i]) for i in shared]
    apart = [np.abs(left[i].xyxy - right[i].xyxy).max(initial=0) for i in shared
             if len(left[i]) == len(right[i])]  # fmt: skip
    return f'{sum(same)} of {len(shared)} images alike, at most {max(apart):.4f} px apart'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--frames', type=int, default=10_000)
    parser.add_argument('--seconds', type=float, default=10.0)
    parser.add_argument('--skip-ros', action='store_true')
    options = parser.parse_args()
    print(describe())
    name = runtime.cudaGetDeviceProperties(0)[1].name.decode()
    driver = runtime.cudaDriverGetVersion()[1]
    print(f'{name}, driver for CUDA {driver // 1000}.{driver % 1000 // 10}')
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pipelines(options.frames, folder)
        if not options.skip_ros:
            nodes(options.seconds)
            bags(folder)


if __name__ == '__main__':
    main()
