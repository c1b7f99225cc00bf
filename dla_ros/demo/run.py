"""A detector process, a player process, and what was seen of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
import os
from pathlib import Path

from dla_ros.bags.read import bag_topics
from dla_ros.demo.process import ChildProcess
from dla_ros.detections import Detections
from dla_ros.errors import DlaRosError
from dla_ros.ros.observer import Observer
from dla_ros.ros.process import initialised
from dla_ros.ros.session import DetectorSession
from rich.console import Console
from rich.progress import Progress

_NODE = '/dla_detector'
_START_S = 30.0
_STALL_S = 20.0
_QUIET = ('demo', '--ros-args', '--log-level', 'warn')  # the tables are the news here
_DROPS = ('superseded', 'invalid', 'failed')


@dataclass(frozen=True)
class Seen:
    """Hold what came out: boxes by image stamp, times by stage, figures, and the bag of it."""

    detections: Mapping[int, Detections]
    latencies: Mapping[str, Sequence[float]]
    figures: Mapping[str, object]
    bag: Path


def run_detector(bag: Path, engine: Path, out: Path, *, rate: float, console: Console) -> Seen:
    """Play ``bag`` through a detector node that runs ``engine`` on the emulated DLA."""
    topic, count = _image_topic(bag)
    recorded = out / 'detections'
    with initialised(_QUIET), ChildProcess(
        'dla_ros.ros.detector_main', _node_arguments(engine, topic), out / 'node.log', os.environ
    ) as node, DetectorSession(_NODE, topic, recorded) as session:  # fmt: skip
        _bring_up(session, node, console)
        arguments = [str(bag), '--wait', '10', '--rate', str(rate)]
        with ChildProcess(
            'dla_ros.ros.bag_player_main', arguments, out / 'player.log', os.environ
        ):
            _follow(session, count, console)
        figures = put_down(session)
        observer = session.observer
        return Seen(observer.detections, observer.latencies, figures, recorded)


def put_down(session: DetectorSession) -> dict[str, object]:
    """Deactivate and clean up; give the figures from before: without a network there are none."""
    session.detector.change('deactivate')
    figures = _figures(session.observer)
    session.detector.change('cleanup')
    return figures


def _image_topic(bag: Path) -> tuple[str, int]:
    """Give the base name of the bag's compressed image topic and its number of images."""
    for topic, type_name, count in bag_topics(bag):
        if type_name == 'sensor_msgs/msg/CompressedImage' and topic.endswith('/compressed'):
            return topic.removesuffix('/compressed'), count
    raise DlaRosError(f'{bag} has no topic TOPIC/compressed of sensor_msgs/msg/CompressedImage')


def _node_arguments(engine: Path, topic: str) -> list[str]:
    parameters = {
        'engine_file_path': engine,
        'dla_device': 'emulator',
        'image_topics': f'[{topic}]',
        'image_transport': 'compressed',
        # a camera's images may be dropped; a demonstration should miss none
        'input_qos': 'DEFAULT',
        'input_qos_depth': 10,
        'diagnostics_period': 0.2,
    }
    pairs = [f'{name}:={value}' for name, value in parameters.items()]
    return ['--ros-args', *(word for pair in pairs for word in ('-p', pair))]


def _bring_up(session: DetectorSession, node: ChildProcess, console: Console) -> None:
    session.detector.wait(_START_S)
    for transition in ('configure', 'activate'):
        if not session.detector.change(transition):
            raise node.refuse(f"'{transition}' was refused")
        console.print(f'{transition:<9} → {session.detector.state()}', highlight=False)


def _follow(session: DetectorSession, count: int, console: Console) -> None:
    """Show progress until every frame is accounted for, or nothing comes any more."""
    observer = session.observer

    def settled() -> int:
        dropped = sum(observer.count(name) for name in _DROPS)
        return len(observer.detections) + dropped

    with Progress(console=console) as progress:
        task = progress.add_task('frames', total=count)

        def is_standing(number: int) -> bool:
            progress.update(task, completed=settled())
            return settled() == number

        is_moving = True
        while settled() < count and is_moving:
            is_moving = session.spin_while(partial(is_standing, settled()), _STALL_S)
        progress.update(task, completed=settled())
    # the counters of the last frame come with the next diagnostics
    session.spin_while(lambda: _accounted(observer) < count, 2.0)


def _accounted(observer: Observer) -> int:
    return sum(observer.count(name) for name in ('processed', *_DROPS))


def _figures(observer: Observer) -> dict[str, object]:
    dropped = sum(observer.count(name) for name in _DROPS)
    return {
        'device': observer.values.get('device', 'unknown'),
        'frames in': observer.count('received'),
        'processed': observer.count('processed'),
        'dropped': dropped,
    }
