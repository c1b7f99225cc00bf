"""The executable ``bring_up``: configure and activate lifecycle nodes, and keep them active."""

import argparse
from collections.abc import Sequence
import sys

from dla_ros.ros.start_up import start_up
from dla_ros.ros.stop import ignore_signals, Stop


def main(words: Sequence[str] | None = None) -> int:
    """Bring all nodes up; return 1 if one of them is not active then."""
    words = sys.argv[1:] if words is None else words
    start_up(words)
    from dla_ros.ros.executable import execute

    return execute(parser(), command, words)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    from dla_ros.ros.executable import parser_of

    found = parser_of('bring_up', 'Configure and activate lifecycle nodes, and keep them active.')
    found.add_argument('nodes', nargs='+', metavar='NODE', help='full name, as /front/detector')
    found.add_argument('--container', default='', help='where the nodes are being loaded')
    found.add_argument('--launch-id', default='', help='touch only nodes with this launch_id')
    found.add_argument('--wait-s', type=float, default=30.0, help='patience for each to appear')
    found.add_argument('--keep-going', action='store_true', help='go on after one that refused')
    found.add_argument(
        '--recover', type=_count, default=0, metavar='N',
        help='stay, and bring up again what fails or is started anew, N times within a minute',
    )  # fmt: skip
    found.add_argument(
        '--fallback', nargs=2, action='append', default=[], metavar=('NODE', 'JSON'),
        help='with --recover: what the node runs on when recovery did not help',
    )  # fmt: skip
    found.add_argument(
        '--only-watch', action='store_true',
        help='with --recover: activate nothing at first, take what somebody else activates',
    )  # fmt: skip
    return found


def command(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Do what the command line says; a signal ends it at any moment, which is no fault."""
    from dla_ros.ros.initialise import initialise, refusing
    from dla_ros.ros.lifecycle_manager import bring_up
    import rclpy
    from rclpy.exceptions import NotInitializedException
    from rclpy.executors import ExternalShutdownException
    from rclpy.impl.implementation_singleton import rclpy_implementation

    stop = Stop()
    try:
        with refusing():
            initialise(words)
        return bring_up(options, stop)
    except ExternalShutdownException:
        return 0
    except (rclpy_implementation.RCLError, NotInitializedException):
        if rclpy.ok():
            raise
        return 0  # the signal shut the context down while a node or a wait was being made
    finally:
        rclpy.try_shutdown()
        ignore_signals()


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0")
    return int(text)


if __name__ == '__main__':
    sys.exit(main())
