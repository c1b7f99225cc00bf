"""Bring lifecycle nodes up, and keep them active where that is wanted."""

import argparse
from collections.abc import Mapping, Sequence
import os
import sys

from dla_ros.errors import DlaRosError, RobotError
from dla_ros.robots.fallback_engine import FallbackEngine
from dla_ros.ros.bring_up import BringUp
from dla_ros.ros.fallback_keeper import FallbackKeeper
from dla_ros.ros.keeper import Keeper
from dla_ros.ros.parameter_client import ParameterClient
from dla_ros.ros.patience import Patience
from dla_ros.ros.stop import Stop
from dla_ros.ros.turns import take_turns
from dla_ros.ros.watched import Watched
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import install_signal_handlers


def bring_up(options: argparse.Namespace, stop: Stop) -> int:
    """Bring the nodes up by a node of our own, and keep them so where that is wanted."""
    fallbacks = read_fallbacks(options)
    node = rclpy.create_node(f'bring_up_{os.getpid()}', start_parameter_services=False)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    # they shut the context down, in the midst of whatever is being made
    install_signal_handlers()
    try:
        if stop.is_asked:
            return 0
        act = BringUp(node, executor, options.container, options.launch_id)
        watched = [Watched(node, act.census, name) for name in options.nodes]
        active = [] if options.only_watch else activate_all(act, options)
        if not rclpy.ok():  # a signal asked us to end: nobody refused
            return 0
        code = 0 if options.only_watch or len(active) == len(watched) else 1
        if options.recover and (not code or options.keep_going):
            keepers = open_keepers(node, act, watched, options.recover, fallbacks)
            keep(node, executor, keepers, active)
            return 0
        return code
    finally:
        executor.shutdown()
        node.destroy_node()


def activate_all(act: BringUp, options: argparse.Namespace) -> list[str]:
    """Activate one node after the other; stop at the first that refuses, or go on."""
    active = []
    for name in options.nodes:
        try:
            act.activate(name, options.wait_s)
        except DlaRosError as err:
            if not rclpy.ok():
                break
            print(f'bring_up: {err}', file=sys.stderr, flush=True)
            if not options.keep_going:
                break
        else:
            print(f"bring_up: '{name}' is active", flush=True)
            active.append(name)
    return active


def read_fallbacks(options: argparse.Namespace) -> dict[str, FallbackEngine]:
    """Return the fallback engines by node; raise RobotError for one that would never be used."""
    found = {name: FallbackEngine.of_json(text) for name, text in options.fallback}
    strangers = sorted(found.keys() - set(options.nodes))
    if strangers:
        raise RobotError(
            f'--fallback {strangers[0]} is for none of the nodes; they are: '
            f'{", ".join(options.nodes)}'
        )
    if found and not options.recover:
        raise RobotError('--fallback takes over when recovery did not help: give --recover N, too')
    return found


def open_keepers(
    node: Node, act: BringUp, watched: Sequence[Watched], most: int,
    fallbacks: Mapping[str, FallbackEngine],
) -> list[Keeper]:  # fmt: skip
    """Return what keeps each node active, ``most`` times within a minute."""
    keepers = []
    for each in watched:
        parts = (act, each, Patience(most), node.get_logger())
        fallback = fallbacks.get(each.target)
        if fallback is None:
            keepers.append(Keeper(*parts))
        else:
            parameters = ParameterClient(node, each.target)
            keepers.append(FallbackKeeper(*parts, fallback, parameters))
    return keepers


def keep(
    node: Node, executor: SingleThreadedExecutor, keepers: Sequence[Keeper], active: Sequence[str]
) -> None:
    """Keep the nodes active until a signal, once they are."""
    names = ', '.join(keeper.target for keeper in keepers)
    node.get_logger().info(
        f'watching {names}: what fails is brought up again, '
        f'{keepers[0].most} times within a minute'
    )
    turns = [keeper.keeping(is_active=keeper.target in active) for keeper in keepers]
    take_turns(executor, turns, lambda: not rclpy.ok())
