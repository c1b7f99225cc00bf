"""The command line of an executable: its help, its own words, and how it refuses."""

import argparse
from collections.abc import Callable, Sequence
import errno
import os
import sys

from dla_ros.errors import DlaRosError
from dla_ros.ros.initialise import refusing
from rclpy.utilities import remove_ros_args

_ROS_ARGUMENTS = (
    'Behind --ros-args come those of ROS: -p NAME:=VALUE sets a parameter, -r FROM:=TO remaps a '
    'name, --params-file FILE reads parameters, --log-level LEVEL sets how much is logged.'
)


def parser_of(name: str, words: str) -> argparse.ArgumentParser:
    """Give a parser that explains the executable and the arguments of ROS."""
    return argparse.ArgumentParser(prog=name, description=words, epilog=_ROS_ARGUMENTS)


def execute(
    parser: argparse.ArgumentParser,
    act: Callable[[argparse.Namespace, list[str]], int],
    words: Sequence[str],
) -> int:
    """
    Read the command line and act; give the exit code.

    ``act`` gets the executable's own options, and all words for ROS. What it refuses is said in
    one sentence. argparse ends the process with 0 after the help, 2 for words that it does not
    know.
    """
    try:
        options = parser.parse_args(_own(words, parser.prog))
        code = act(options, [parser.prog, *words])
        sys.stdout.flush()
    except DlaRosError as err:
        print(f'{parser.prog}: {err}', file=sys.stderr)
        return 1
    except BrokenPipeError:  # nobody reads on, as behind `| head`
        return _end_unheard()
    except OSError as err:
        if err.errno != errno.ENOSPC:
            raise
        print(f'{parser.prog}: {err.strerror}', file=sys.stderr)
        return _end_unheard()
    return code


def _end_unheard() -> int:
    """Lead standard output to /dev/null, as Python writes what is left; return the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 1


def _own(words: Sequence[str], name: str) -> list[str]:
    """Give the words that are not for ROS."""
    with refusing():
        return list(remove_ros_args([name, *words])[1:])
