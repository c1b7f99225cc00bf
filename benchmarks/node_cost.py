"""
The whole node against the usual one: CPU per frame, frames received, latency.

A camera process publishes 1080p rgb8 at 30 Hz, best effort, and hears the detections; the node is
another process, its network costs nothing. Latency is from just before publish() to the
detections, in the camera process. The usual node's CPU depends on how its heap happens to lie
(malloc keeps image memory, or maps it anew for each image), so look at several runs.
Run:  .venv/bin/python benchmarks/node_cost.py [--seconds 10] [--repeat 5]
"""

import argparse
from array import array
import importlib.util
import os
from pathlib import Path
import signal
from statistics import median
import subprocess
import sys
import tempfile
import time

from dla_ros.emulator.build import emulate
from dla_ros.scene.card import write_null_network
from dla_ros.transport import transport_environment
from machine import describe
import numpy as np
import psutil
from rich.console import Console
from rich.table import Table

HOME = Path(__file__).resolve().parents[1]
HEIGHT, WIDTH, HZ = 1080, 1920, 30


def main():
    """Measure each node and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seconds', type=float, default=10.0)
    parser.add_argument('--repeat', type=int, default=1, help='runs of each node, in turn')
    parser.add_argument('--camera', nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.camera:
        return camera(int(options.camera[0]), options.camera[1] == 'reliable')
    frames = int(options.seconds * HZ)
    runs = [
        {name: measure(make(), frames) for name, make in NODES.items()}
        for _ in range(options.repeat)
    ]
    print(describe(), f'usual node converts by {bridge()}', sep='\n')
    show({name: [run[name] for run in runs] for name in NODES}, frames)
    return 0


def usual(*flags, environment=None):
    """Give command, environment and reliability of the usual node; default settings as given."""
    command = [sys.executable, str(HOME / 'benchmarks' / 'usual_node.py'), *flags]
    return command, environment or {}, bool(flags)


def ours():
    """Give command and environment of this package's node on the emulated DLA."""
    engine = null_engine(Path(tempfile.mkdtemp()))
    parameters = {
        'engine_file_path': engine, 'dla_device': 'emulator',
        'dla_emulator_options': 'network=none',
    }  # fmt: skip
    words = [word for pair in parameters.items() for word in ('-p', '{}:={}'.format(*pair))]
    command = [sys.executable, '-m', 'dla_ros.ros.detector_main', '--ros-args', *words]
    return command, transport(), False


def transport():
    """Give the environment with this package's Fast DDS profile."""
    return transport_environment(os.environ.get('ROS_DISTRO', ''))


def null_engine(folder):
    """Build a loadable with a 640x640 input whose network costs nothing."""
    write_null_network(folder / 'null.onnx', (640, 640))
    emulate(folder / 'null.onnx', folder / 'null.dla', input_format='fp16:dla_linear',
            output_format='fp16:dla_linear')  # fmt: skip
    return folder / 'null.dla'


NODES = {
    'usual node': usual,
    'usual node, reliable': lambda: usual('--reliable'),
    'usual node, our transport': lambda: usual(environment=transport()),
    'dla_ros': ours,
}


def measure(job, frames):
    """Run one node against one camera; give the camera's figures and the node's CPU."""
    command, extra, is_reliable = job
    environment = {**os.environ, **extra, 'ROS_DOMAIN_ID': '77'}
    node = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        if 'dla_ros.ros.detector_main' in command:
            bring_up(environment)
        time.sleep(2.0)
        before = cpu_s(node.pid)
        arguments = ['--camera', str(frames), 'reliable' if is_reliable else 'best_effort']
        text = subprocess.run(
            [sys.executable, __file__, *arguments],
            env=environment, check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        used = cpu_s(node.pid) - before
    finally:
        node.send_signal(signal.SIGINT)
        node.wait(10)
    received, *latencies = text.split()
    latencies = np.array([float(word) for word in latencies])
    # The usual node answers what it receives, and tells nothing of itself.
    return {'latencies': latencies, 'cpu': used, 'received': int(received) or len(latencies)}


def cpu_s(pid):
    """Give the CPU seconds that a process has used so far."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def bring_up(environment):
    """Configure and activate the detector from a process of its own."""
    code = (
        'import rclpy; from dla_ros.ros.lifecycle_client import LifecycleClient as C;'
        'from rclpy.executors import SingleThreadedExecutor as E; rclpy.init();'
        'n = rclpy.create_node("up"); e = E(); e.add_node(n); c = C(n, e, "/dla_detector");'
        'c.wait(20); assert c.change("configure") and c.change("activate")'
    )
    subprocess.run([sys.executable, '-c', code], env=environment, check=True)


def camera(frames, is_reliable):
    """Publish images at 30 Hz and print the latency of each answer in milliseconds."""
    from dla_ros.ros.observer import Observer
    import rclpy
    from rclpy.executors import SingleThreadedExecutor
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image
    from vision_msgs.msg import Detection2DArray

    rclpy.init()
    node, latencies = rclpy.create_node('camera'), []
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def on_detections(message):
        sent = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        latencies.append((time.monotonic_ns() - sent) / 1e6)

    observer = Observer(node, '/dla_detector')
    node.create_subscription(Detection2DArray, 'detections', on_detections, 10)
    publisher = node.create_publisher(
        Image, 'image', 10 if is_reliable else qos_profile_sensor_data
    )
    image = Image(height=HEIGHT, width=WIDTH, encoding='rgb8', step=WIDTH * 3)
    pixels = np.random.default_rng(0).integers(0, 256, HEIGHT * WIDTH * 3, np.uint8)
    image.data = array('B', pixels.tobytes())
    deadline = time.monotonic() + 10
    while not publisher.get_subscription_count() and time.monotonic() < deadline:
        executor.spin_once(0.1)
    due = time.monotonic() + 0.5
    for _ in range(frames):
        while (left := due - time.monotonic()) > 0:
            executor.spin_once(left)
        stamp = time.monotonic_ns()
        image.header.stamp.sec, image.header.stamp.nanosec = divmod(stamp, 10**9)
        publisher.publish(image)
        due += 1 / HZ
    end = time.monotonic() + 1.5  # the node's diagnostics come once a second
    while time.monotonic() < end:
        executor.spin_once(0.1)
    print(observer.count('received'), *(f'{value:.3f}' for value in latencies))
    return 0


def bridge():
    """Say what the usual node converts images with."""
    found = importlib.util.find_spec('cv_bridge')
    return 'cv_bridge' if found else 'what cv_bridge does (it is not installed)'


def show(rows, frames):
    """Print medians, and the range of the CPU; the ratio is of the medians."""
    table = Table(title=f'1080p rgb8 at {HZ} Hz, {frames} frames a run, two processes')
    table.add_column('node')
    for name in (
        'received',
        'answered',
        'CPU ms/frame',
        'range',
        'latency p50 ms',
        'p99 ms',
        'against ours',
    ):
        table.add_column(name, justify='right')
    base = median(per_frame(run) for run in rows['dla_ros'])
    for name, runs in rows.items():
        cpu = sorted(per_frame(run) for run in runs)
        answered = sum(len(run['latencies']) for run in runs)
        received = sum(run['received'] for run in runs)
        table.add_row(
            name, f'{received}/{frames * len(runs)}', str(answered), f'{median(cpu):.2f}',
            f'{cpu[0]:.2f}-{cpu[-1]:.2f}', f'{percentile(runs, 50):.1f}',
            f'{percentile(runs, 99):.1f}', f'{median(cpu) / base:.1f}x',
        )  # fmt: skip
    Console(width=110).print(table)


def percentile(runs, percent):
    """Give a percentile of the latencies of all runs; 0 where nothing came."""
    latencies = np.concatenate([run['latencies'] for run in runs])
    return np.percentile(latencies, percent) if len(latencies) else 0


def per_frame(run):
    """Give the CPU milliseconds of each answered frame."""
    return run['cpu'] * 1e3 / max(1, len(run['latencies']))


if __name__ == '__main__':
    sys.exit(main())
