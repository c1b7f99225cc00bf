"""The executable ``bring_up``: configure and activate lifecycle nodes, or say why not."""

import argparse
from collections.abc import Sequence
import os
import sys

from dla_ros.errors import DlaRosError
from dla_ros.ros.bring_up import BringUp
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.utilities import remove_ros_args


def main(arguments: Sequence[str] | None = None) -> int:
    """Bring all nodes up; give 1 if one of them is not active then."""
    words = list(sys.argv if arguments is None else ['bring_up', *arguments])
    options = parser().parse_args(remove_ros_args(words)[1:])
    try:
        rclpy.init(args=words)
        return bring_up(options)
    except (KeyboardInterrupt, ExternalShutdownException):
        return 0
    except rclpy_implementation.RCLError:
        if rclpy.ok():
            raise
        return 0  # the signal shut the context down while a wait was being prepared
    finally:
        rclpy.try_shutdown()


def parser() -> argparse.ArgumentParser:
    """Give the parser of the command line."""
    found = argparse.ArgumentParser(prog='bring_up', description=__doc__)
    found.add_argument('nodes', nargs='+', metavar='NODE', help='full name, as /front/detector')
    found.add_argument('--container', default='', help='where the nodes are being loaded')
    found.add_argument('--launch-id', default='', help='touch only nodes with this launch_id')
    found.add_argument('--wait-s', type=float, default=30.0, help='patience for each to appear')
    found.add_argument('--keep-going', action='store_true', help='go on after one that refused')
    return found


def bring_up(options: argparse.Namespace) -> int:
    """Bring the nodes up by a node of our own."""
    node = rclpy.create_node(f'bring_up_{os.getpid()}', start_parameter_services=False)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    try:
        act = BringUp(node, executor, options.container, options.launch_id)
        return activate_all(act, options)
    finally:
        executor.shutdown()
        node.destroy_node()


def activate_all(act: BringUp, options: argparse.Namespace) -> int:
    """Activate one node after the other; stop at the first that refuses, or go on."""
    code = 0
    for name in options.nodes:
        try:
            act.activate(name, options.wait_s)
        except DlaRosError as err:
            if not rclpy.ok():  # a signal asked us to end: nobody refused
                return 0
            print(f'bring_up: {err}', file=sys.stderr, flush=True)
            code = 1
            if not options.keep_going:
                break
        else:
            print(f"bring_up: '{name}' is active", flush=True)
    return code


if __name__ == '__main__':
    sys.exit(main())
