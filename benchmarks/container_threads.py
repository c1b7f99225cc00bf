"""
Compare one thread for all nodes of a container with one for each.

Two detectors (their network costs nothing) get 1080p images at 30 Hz from another process, beside
four idle nodes; then a plain lifecycle node configures for two seconds in its callback, as rclpy
runs it. Printed: CPU of the container's process per image, latency from publish() to detections,
and the longest time without detections during that configure.
Run:  .venv/bin/python benchmarks/container_threads.py [--seconds 10]
"""

import argparse
from array import array
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import time

from dla_ros.ros.executors import open_executor
from dla_ros.transport import transport_environment
from machine import describe
import numpy as np
from spinning import Spinning

HEIGHT, WIDTH, HZ, SLOW_S = 1080, 1920, 30, 2.0
SIDES = ('left', 'right')


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--seconds', type=float, default=10.0)
    parser.add_argument('--role', nargs='+', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        {'host': host, 'camera': camera}[options.role[0]](*options.role[1:])
        return
    print(describe())
    print('executor | threads  | CPU ms/image | latency p50 / p99 ms | longest gap ms')
    with tempfile.TemporaryDirectory() as folder:
        engine = null_engine(Path(folder))
        for executor in ('auto', 'single'):
            for threads in ('one', 'each'):
                measure(engine, executor, threads, options.seconds)


def null_engine(folder):
    from dla_ros.emulator.build import emulate
    from dla_ros.scene.card import write_null_network

    write_null_network(folder / 'null.onnx', (640, 640))
    emulate(folder / 'null.onnx', folder / 'null.dla')
    return folder / 'null.dla'


def measure(engine, executor, threads, seconds):
    """Start the host, show it images, and print a line."""
    environment = {
        **os.environ, 'ROS_DOMAIN_ID': '76', 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        **transport_environment(os.environ.get('ROS_DISTRO', 'kilted')),
    }  # fmt: skip
    role = [sys.executable, __file__, '--role']
    pipes = {'env': environment, 'text': True, 'stdout': subprocess.PIPE}
    host_role = [*role, 'host', str(engine), executor, threads]
    hosted = subprocess.Popen(host_role, stdin=subprocess.PIPE, **pipes)
    shown = None
    try:
        assert hosted.stdout.readline(), 'the host did not start'
        shown = subprocess.Popen([*role, 'camera', str(int(seconds * HZ))], **pipes)
        text = shown.stdout.read()  # it goes on showing after that
        hosted.stdin.write('enough\n')
        hosted.stdin.flush()
        cpu_ms, gap_ms = (float(word) for word in hosted.stdout.readline().split())
    finally:
        hosted.stdin.close()
        for process in filter(None, (shown, hosted)):
            process.wait(20)  # not killed: DDS's shared memory would stay behind
    p50, p99 = np.percentile([float(word) for word in text.split()], (50, 99))
    print(
        f'{executor:8} | {threads:8} | {cpu_ms:12.2f} | {p50:12.1f} / {p99:.1f} | {gap_ms:8.0f}',
        flush=True,
    )


def host(engine, executor, threads):
    """Hold the nodes; print CPU per image and the longest gap when told that it is enough."""
    from dla_ros.malloc import tune_malloc
    import rclpy
    from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn

    class SlowConfigure(LifecycleNode):
        def on_configure(self, _state):
            time.sleep(SLOW_S)
            return TransitionCallbackReturn.SUCCESS

    rclpy.init()
    tune_malloc()
    times = {side: [] for side in SIDES}
    detectors = [detector(side, engine, times[side]) for side in SIDES]
    idle = [rclpy.create_node(f'idle_{number}') for number in range(4)]
    slow = SlowConfigure('slow')
    running = spin([*detectors, *idle, slow], executor, threads)
    print('ready', flush=True)
    while not all(times.values()):
        time.sleep(0.1)
    start, images = time.process_time(), sum(map(len, times.values()))
    sys.stdin.readline()
    used, images = time.process_time() - start, sum(map(len, times.values())) - images
    print(used / images * 1e3, longest_gap_ms(times, slow), flush=True)
    sys.stdin.read()
    for each in running:
        each.end()
    rclpy.shutdown()


def detector(side, engine, times):
    """Make an active detector that notes when it has published."""
    from dla_ros.ros.detector_node import DetectorNode
    from dla_ros.ros.lifecycle import SUCCESS
    from rclpy.parameter import Parameter

    class Noting(DetectorNode):
        def _on_result(self, result):
            super()._on_result(result)
            times.append(time.monotonic())

    values = {
        'engine_file_path': str(engine), 'dla_device': 'emulator',
        'dla_emulator_options': 'network=none', 'image_topics': [f'/{side}/image'],
    }  # fmt: skip
    overrides = [Parameter(name, value=value) for name, value in values.items()]
    node = Noting(f'{side}_detector', parameter_overrides=overrides)
    assert node.trigger_configure() is SUCCESS
    assert node.trigger_activate() is SUCCESS
    return node


def spin(nodes, executor, threads):
    """Spin all nodes on one thread, or each on its own."""
    groups = [nodes] if threads == 'one' else [[node] for node in nodes]
    return [Spinning(open_executor(executor), group) for group in groups]


def longest_gap_ms(times, slow):
    """Configure the slow node over its service, as a user does; give the longest gap meanwhile."""
    from lifecycle_msgs.srv import ChangeState
    import rclpy

    client_node = rclpy.create_node('client')
    client = client_node.create_client(ChangeState, f'/{slow.get_name()}/change_state')
    client.wait_for_service()
    request = ChangeState.Request()
    request.transition.label = 'configure'
    start = time.monotonic()
    client.call_async(request)
    time.sleep(SLOW_S + 1.0)
    gaps = []
    for each in times.values():
        seen = np.array([start, *(moment for moment in list(each) if moment > start)])
        gaps.append(np.diff([*seen, time.monotonic()]).max())
    client_node.destroy_node()
    return max(gaps) * 1e3


def camera(frames):
    """Publish on both topics at 30 Hz; print each latency in ms; go on until killed or idle."""
    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image
    from vision_msgs.msg import Detection2DArray

    rclpy.init()
    node, latencies = rclpy.create_node('camera'), []
    executor = open_executor('auto')
    executor.add_node(node)

    def on_detections(message):
        sent = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        latencies.append((time.monotonic_ns() - sent) / 1e6)

    publishers = []
    for side in SIDES:
        node.create_subscription(Detection2DArray, f'/{side}/detections', on_detections, 10)
        publishers.append(node.create_publisher(Image, f'/{side}/image', qos_profile_sensor_data))
    image = Image(height=HEIGHT, width=WIDTH, encoding='rgb8', step=WIDTH * 3)
    image.data = array('B', bytes(HEIGHT * WIDTH * 3))
    while not all(publisher.get_subscription_count() for publisher in publishers):
        executor.spin_once(0.1)
    due = time.monotonic() + 0.5
    # images go on for a while after the figures are printed: the slow configure needs them
    for number in range(int(frames) + int((SLOW_S + 3) * HZ)):
        while (left := due - time.monotonic()) > 0:
            executor.spin_once(left)
        for publisher in publishers:
            stamp = time.monotonic_ns()
            image.header.stamp.sec, image.header.stamp.nanosec = divmod(stamp, 10**9)
            publisher.publish(image)
        due += 1 / HZ
        if number == int(frames):
            print('\n'.join(f'{value:.3f}' for value in latencies), flush=True)
            os.close(1)


if __name__ == '__main__':
    main()
