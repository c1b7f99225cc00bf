"""A process of rclpy nodes: start it, spin it, and end it cleanly on a signal."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
import os
import sys
import traceback
from typing import Any

from dla_ros.errors import ConfigError
from dla_ros.malloc import tune_malloc
from dla_ros.ros.ending import Ending, ending_of, restart
from dla_ros.ros.executors import open_executor
from dla_ros.ros.initialise import initialise, refusing
from dla_ros.ros.middleware import prepare
from dla_ros.ros.namesakes import Namesakes
from dla_ros.ros.stop import ignore_signals, Stop
from dla_ros.ros.unknown_parameters import warn_of_unknown
import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.utilities import get_rmw_implementation_identifier

_SPIN_S = 0.1  # a signal is noticed between two spins


@contextmanager
def ros(words: Sequence[str]) -> Iterator[Stop]:
    """Give ROS to a process that a signal ends in good order (:class:`Stop`)."""
    stop = Stop()
    with initialised(words):
        try:
            yield stop
        finally:
            ignore_signals()


@contextmanager
def initialised(words: Sequence[str]) -> Iterator[None]:
    """Prepare DDS and initialise rclpy, which handles no signals then; shut it down at the end."""
    with refusing():
        tell = prepare(get_rmw_implementation_identifier())
        initialise(words)
    tell()
    try:
        yield
    finally:
        rclpy.try_shutdown()


def spin(executor: Any, is_over: Callable[[], bool]) -> None:
    """
    Spin until ``is_over``; an error of one callback is said and does not end the process.

    EventsExecutor.spin() dispatches nothing in some builds, so spin_once it is; on Jazzy an
    invalid lifecycle request raises RCLError out of the executor. A subscription that another
    thread destroys (deactivate) may have an event on its way: EventsExecutor then raises
    InvalidHandle, and nothing is lost.
    """
    while not is_over() and rclpy.ok():
        try:
            executor.spin_once(timeout_sec=_SPIN_S)
        except rclpy_implementation.InvalidHandle as err:
            get_logger('dla_ros').debug(f'an event came for what is destroyed: {err}')
        except rclpy_implementation.RCLError as err:
            get_logger('dla_ros').error(f'a callback failed: {err}')
        except Exception:
            # as the parameter services of rclpy for a value of a type that there is not
            get_logger('dla_ros').error(f'a callback failed:\n{traceback.format_exc()}')


def run(open_node: Callable[[], Node], words: Sequence[str] | None = None) -> int:
    """
    Run one node until a signal, or until its ``ending`` is no longer None; give the exit code.

    A node has an ``ending`` (:class:`Ending`) where only a new process can help it; others need
    not. One that restarts does not return. A process whose node has the name of another ends too.
    """
    words = sys.argv if words is None else words
    with ros(words) as stop:
        with refusing():
            node = open_node()
        warn_of_unknown(node, words)
        executor = _open_executor(node)
        if node.get_parameter('tune_malloc').value:
            node.get_logger().info(_malloc_words(tune_malloc()))
        executor.add_node(node)
        namesakes = Namesakes(node)
        spin(executor, lambda: stop.is_asked or (namesakes.ending or ending_of(node)) is not None)
        ending = None if stop.is_asked else namesakes.ending or ending_of(node)
        if ending is not None:
            node.get_logger().fatal(str(ending))
        is_clean = end(node)
        if is_clean:
            executor.remove_node(node)
            node.destroy_node()
            # it keeps entities, and they DDS's shared memory, which execve(2) would leave behind
            executor.shutdown()
        if ending is not None and ending.restarts:
            _restart(ending, stop)
        exit_code = 0 if ending is None or stop.is_asked else 1
        if not is_clean:
            # a driver call that does not return: ending the process gives its device back
            sys.stdout.flush()
            os._exit(exit_code)
    return exit_code


def _restart(ending: Ending, stop: Stop) -> None:
    """Start anew, unless a signal asks for the end."""
    rclpy.try_shutdown()  # so that DDS says goodbye, and peers await no answer from the dead
    stop.hold()
    if not stop.is_asked:
        restart(ending)


def _open_executor(node: Node) -> Any:
    """Open what the parameter says; a wrong one is told, here and by configure."""
    try:
        return open_executor(node.get_parameter('executor').value)
    except ConfigError as err:
        node.get_logger().error(f'{err}; auto stands in')
        return open_executor('auto')


def end(node: Any) -> bool:
    """Shut a lifecycle node down from whichever state; tell whether everything was given back."""
    close = getattr(node, 'end', None)
    return True if close is None else bool(close())


def _malloc_words(is_tuned: bool) -> str:
    if is_tuned:
        return 'malloc keeps image memory in the process (tune_malloc:=false leaves it alone)'
    return 'malloc could not be tuned: this libc has no mallopt'
