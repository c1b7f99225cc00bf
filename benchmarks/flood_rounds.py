"""
How many rounds of activate and deactivate a detector's process survives while images flood it.

A camera process publishes 720p mono8, best effort, as fast as it can, with the stock settings of
Fast DDS, which lose most of it: every loss is an event. ``--restarting``: the camera goes and
comes 20 times a second before a reliable detector (``input_qos: DEFAULT``), and every time is an
event. ``--container``: the detector lives in a component container, beside a node of a user that
subscribes anew each round and wants every event there is. Ends with 1 if the process died. Run:
.venv/bin/python benchmarks/flood_rounds.py [--rounds 1000] [--restarting] [--container]
"""

import argparse
import os
from pathlib import Path
import random
import subprocess
import sys
import tempfile
import threading
import time

from machine import describe
from node_cost import null_engine

HEIGHT, WIDTH = 720, 1280
LIFE_S = 0.05  # of a camera that restarts
LONGEST_S = 0.06  # between two transitions; the mean is half of it


def main():
    """Let the process go through its rounds in a flood, and say how it ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--rounds', type=int, default=1000)
    parser.add_argument('--executor', default='auto', choices=('auto', 'events', 'single'))
    parser.add_argument('--restarting', action='store_true', help='the camera')
    parser.add_argument('--container', action='store_true')
    parser.add_argument('--role', nargs='+', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        return ROLES[options.role[0]](options, *options.role[1:])
    print(describe(), flush=True)
    domain = {'ROS_DOMAIN_ID': os.environ.get('ROS_DOMAIN_ID', str(1 + os.getpid() % 100))}
    environment = {**os.environ, **domain, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    with tempfile.TemporaryDirectory() as folder:
        engine = str(null_engine(Path(folder)))
        command = [sys.executable, __file__, *sys.argv[1:], '--role']
        flood = subprocess.Popen([*command, 'camera'], env=environment)
        try:
            return watch([*command, 'detector', engine], environment)
        finally:
            flood.terminate()
            flood.wait()


def watch(command, environment):
    """Run the detector's process; print and return how it ended."""
    started, rounds, last = time.monotonic(), 0, ''
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.startswith('round'):
                rounds += 1
                last = line.strip()
    seconds = time.monotonic() - started
    how = 'alive' if process.returncode == 0 else f'dead, exit code {process.returncode}'
    print(f'{how} after {rounds} rounds in {seconds:.0f} s; {last}')
    return int(process.returncode != 0)


# ── the camera ───────────────────────────────────────────────────────────────────────────────


def camera(options):
    """Publish until SIGTERM."""
    from array import array

    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image

    rclpy.init()
    node = rclpy.create_node('camera')
    data = array('B', bytes(HEIGHT * WIDTH))
    image = Image(height=HEIGHT, width=WIDTH, encoding='mono8', step=WIDTH, data=data)
    publisher, born = node.create_publisher(Image, 'image', qos_profile_sensor_data), 0.0
    while rclpy.ok():
        if options.restarting and time.monotonic() - born > LIFE_S:
            node.destroy_publisher(publisher)
            publisher = node.create_publisher(Image, 'image', qos_profile_sensor_data)
            born = time.monotonic()
        try:
            publisher.publish(image)
        except Exception:
            if rclpy.ok():
                raise
        time.sleep(0.001)
    return 0


# ── the detector ─────────────────────────────────────────────────────────────────────────────


def detector(options, engine):
    """Spin a detector, or a container with one, while a thread sends it through its rounds."""
    from dla_ros.ros.container.container import ComponentContainer
    from dla_ros.ros.detector_node import DetectorNode
    from dla_ros.ros.executors import open_executor
    from dla_ros.ros.process import ros, spin
    from rclpy.parameter import Parameter

    values = {
        'engine_file_path': engine,
        'dla_device': 'emulator',
        'dla_emulator_options': 'network=none',
        'input_qos': 'DEFAULT' if options.restarting else 'SENSOR_DATA',
    }
    parameters = [Parameter(name, value=value) for name, value in values.items()]
    with ros([]):
        if options.container:
            executor_name = Parameter('executor', value=options.executor)
            node = ComponentContainer(parameter_overrides=[executor_name])
            tenants = load(node, parameters)
        else:
            node = DetectorNode(parameter_overrides=parameters)
            tenants = [node]
        executor = open_executor(options.executor)
        executor.add_node(node)
        thread = threading.Thread(target=go_round, args=(options.rounds, *tenants), daemon=True)
        thread.start()
        spin(executor, lambda: not thread.is_alive())
        code = 0 if node.end(10) else 1
        executor.remove_node(node)
        node.destroy_node()
        executor.shutdown()
    return code


def load(container, parameters):
    """Load a detector and a user's node; return both."""
    from composition_interfaces.srv import LoadNode

    sys.modules['flood_rounds'] = sys.modules[__name__]
    found = []
    for package, plugin, given in (
        ('dla_ros', 'DetectorNode', parameters),
        ('flood_rounds', 'CuriousNode', ()),
    ):
        request = LoadNode.Request(package_name=package, plugin_name=f'{package}::{plugin}')
        request.parameters = [each.to_parameter_msg() for each in given]
        found.append(container._load(request).node)
    return found


def curious_node():
    """Return the class of a user's node that subscribes anew each round, to all events."""
    from rclpy.event_handler import SubscriptionEventCallbacks
    from rclpy.node import Node
    from rclpy.qos import qos_profile_sensor_data
    from sensor_msgs.msg import Image

    class CuriousNode(Node):
        def __init__(self):
            super().__init__('curious')
            self.events = 0
            self.held = None

        def on_event(self, event):
            self.events += 1

        def go_round(self):
            if self.held is not None:
                self.destroy_subscription(self.held)
            wanted = SubscriptionEventCallbacks(
                incompatible_qos=self.on_event, message_lost=self.on_event, matched=self.on_event
            )
            self.held = self.create_subscription(
                Image, 'image', id, qos_profile_sensor_data, event_callbacks=wanted
            )

    return CuriousNode


def go_round(rounds, node, neighbour=None):
    """Activate and deactivate the node; what is wrong shows in the figures printed last."""
    node.trigger_configure()
    for number in range(1, rounds + 1):
        node.trigger_activate()
        time.sleep(random.uniform(0, LONGEST_S))
        if neighbour is not None:
            neighbour.go_round()
        node.trigger_deactivate()
        time.sleep(random.uniform(0, LONGEST_S / 4))
        (camera,) = node._cameras.values()
        events = '' if neighbour is None else f', {neighbour.events} events beside it'
        received = node.counts.total.received
        print(f'round {number}: {received} images, {camera.lost} lost{events}', flush=True)


def __getattr__(name):
    if name == 'CuriousNode':
        return curious_node()
    raise AttributeError(name)


ROLES = {'camera': camera, 'detector': detector}

if __name__ == '__main__':
    sys.exit(main())
