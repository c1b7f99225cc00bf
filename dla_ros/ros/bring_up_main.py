"""The executable ``bring_up``: configure and activate lifecycle nodes, or say why not."""

import argparse
from collections.abc import Sequence
import os
import sys
from typing import TYPE_CHECKING

from dla_ros.errors import DlaRosError
from dla_ros.ros.start_up import start_up
from dla_ros.ros.stop import signals_held

if TYPE_CHECKING:
    from dla_ros.ros.bring_up import BringUp


def main(words: Sequence[str] | None = None) -> int:
    """Bring all nodes up; give 1 if one of them is not active then."""
    words = sys.argv[1:] if words is None else words
    start_up(words)
    from dla_ros.ros.executable import execute

    return execute(parser(), command, words)


def parser() -> argparse.ArgumentParser:
    """Give the parser of the command line."""
    from dla_ros.ros.executable import parser_of

    found = parser_of('bring_up', 'Configure and activate lifecycle nodes, or say why not.')
    found.add_argument('nodes', nargs='+', metavar='NODE', help='full name, as /front/detector')
    found.add_argument('--container', default='', help='where the nodes are being loaded')
    found.add_argument('--launch-id', default='', help='touch only nodes with this launch_id')
    found.add_argument('--wait-s', type=float, default=30.0, help='patience for each to appear')
    found.add_argument('--keep-going', action='store_true', help='go on after one that refused')
    return found


def command(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Do what the command line says; a signal ends it at any moment, which is no fault."""
    from dla_ros.ros.initialise import initialise, refusing
    import rclpy
    from rclpy.exceptions import NotInitializedException
    from rclpy.executors import ExternalShutdownException
    from rclpy.impl.implementation_singleton import rclpy_implementation
    from rclpy.signals import SignalHandlerOptions

    try:
        with signals_held(), refusing():
            initialise(words, SignalHandlerOptions.ALL)
        return bring_up(options)
    except (KeyboardInterrupt, ExternalShutdownException):
        return 0
    except (rclpy_implementation.RCLError, NotInitializedException):
        if rclpy.ok():
            raise
        return 0  # the signal shut the context down while a node or a wait was being made
    finally:
        rclpy.try_shutdown()


def bring_up(options: argparse.Namespace) -> int:
    """Bring the nodes up by a node of our own."""
    from dla_ros.ros.bring_up import BringUp
    import rclpy
    from rclpy.executors import SingleThreadedExecutor

    node = rclpy.create_node(f'bring_up_{os.getpid()}', start_parameter_services=False)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    try:
        act = BringUp(node, executor, options.container, options.launch_id)
        return activate_all(act, options)
    finally:
        executor.shutdown()
        node.destroy_node()


def activate_all(act: 'BringUp', options: argparse.Namespace) -> int:
    """Activate one node after the other; stop at the first that refuses, or go on."""
    import rclpy

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
