"""Check a robot file, and print what would be started."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from glob import escape, glob
import os
from pathlib import Path

from dla_ros.cli.needs import check_needs
from dla_ros.detector.engine import backend_of
from dla_ros.detector.plan import Plan
from dla_ros.files.regular_file import is_regular
from dla_ros.robots.check import HANDLES_PER_CORE
from dla_ros.robots.detector_entry import DetectorEntry
from dla_ros.robots.emulate import with_loadables
from dla_ros.robots.fallback_engine import FallbackEngine
from dla_ros.robots.find import shipped_robots
from dla_ros.robots.override import override
from dla_ros.robots.robot import Robot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's arguments."""
    acts = parser.add_subparsers(dest='act', required=True, metavar='ACT')
    acts.add_parser('list', help='print the robots that come with the package')
    check = acts.add_parser('check', help='check a robot file and print what would be started')
    _add_robot(check)
    prepare = acts.add_parser('prepare', help='make now what the first launch would make')
    _add_robot(prepare)
    check.add_argument('--engine', default='', help='another engine, for a single detector')
    check.add_argument('--dla-core', default='', help='another core, for a single detector')
    check.add_argument('--namespace', default='', help='where the launch would put the robot')
    check.add_argument(
        '--here', action='store_true', help='check engines, records and libraries here'
    )


def run(options: argparse.Namespace) -> int:
    """Print robots, or what one would start."""
    if options.act == 'list':
        for path in shipped_robots():
            print(f'{path.stem:<22} {Robot.open(path.stem).description}')
        return 0
    if options.act == 'prepare':
        for entry in with_loadables(Robot.open(options.robot)).detectors:
            print(f'{entry.name}: {entry.engine}')
        return 0
    robot = override(Robot.open(options.robot), engine=options.engine, dla_core=options.dla_core)
    for line in to_lines(robot, options.namespace):
        print(line)
    if options.here:
        check_here(robot)
        print('engines, records and libraries: as they should be')
    return 0


def _add_robot(parser: argparse.ArgumentParser) -> None:
    robot = parser.add_argument(
        'robot', help='a name of `dla_ros robot list`, or the path of a robot file'
    )
    robot.completer = _complete_robot  # type: ignore[attr-defined]  # argcomplete looks for it


def _complete_robot(prefix: str, **_: object) -> list[str]:
    """Return what may be written: names, and paths that begin as ``prefix`` does."""
    return [*(path.stem for path in shipped_robots()), *glob(f'{escape(prefix)}*')]


def to_lines(robot: Robot, namespace: str = '') -> Iterator[str]:
    """Say what would be started: nodes, topics, parameters, and the handles of each core."""
    yield f'{robot.name}: {robot.description or "no description"}'
    yield f'  file      {robot.path}'
    yield f'  executor  {robot.executor}'
    for entry in robot.detectors:
        yield from _detector_lines(entry, namespace)
    for core, count in robot.handles.items():
        yield f'DLA core {core}: {count} of {HANDLES_PER_CORE} handles'


def check_here(robot: Robot) -> None:
    """Raise a DlaRosError unless each engine is here, fits its record, and has what it needs."""
    for entry in robot.detectors:
        backend_of(Path(entry.engine), 'onnx' if entry.emulate else entry.config.backend)
        Plan.of(replace(entry.config, engine_file_path=entry.engine))
        check_needs(entry)
        if entry.fallback_engine is not None:
            _check_fallback(entry, entry.fallback_engine)


def _check_fallback(entry: DetectorEntry, fallback: FallbackEngine) -> None:
    other = replace(
        entry, parameters={**entry.parameters, **fallback.parameters}, fallback_engine=None,
        emulate=None if 'engine_file_path' in fallback.parameters else entry.emulate,
    )  # fmt: skip
    backend_of(Path(other.engine), 'onnx' if other.emulate else other.config.backend)
    Plan.of(replace(other.config, engine_file_path=other.engine))
    check_needs(other)


def _detector_lines(entry: DetectorEntry, namespace: str) -> Iterator[str]:
    place = f'DLA core {entry.dla_core}'
    is_emulated = entry.config.dla_device == 'emulator'
    yield f'{entry.full_name(namespace)} on {place}{" (emulated)" if is_emulated else ""}'
    fallback = entry.fallback_engine
    where = '' if is_regular(entry.engine) else f'  ({_absence(entry.engine)})'
    yield f'  {"emulate" if entry.emulate else "engine":<9} {entry.engine}{where}'
    if fallback is not None:
        yield f'  fallback  {fallback}; the engine is tried again every {fallback.retry_s:g} s'
    placed = entry.topics(namespace).values()
    for image, detections in zip(entry.heard_topics(namespace), placed, strict=True):
        yield f'  {image} -> {detections}'
    shown = {'engine_file_path', 'image_topics', 'dla_core', 'dla_device'}
    for name, value in entry.parameters.items():
        if name not in shown:
            yield f'  {name}: {value}'


def _absence(engine: str) -> str:
    return 'a directory, not a file' if os.path.isdir(engine) else 'not on this machine'
