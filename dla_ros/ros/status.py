"""Sentences and the figures behind them: how the detector and each of its cameras do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from dla_ros.detector import Detector
from dla_ros.health.finding import Finding, Level, merge
from dla_ros.ros.camera import Camera
from dla_ros.ros.diagnostics import Status
from dla_ros.ros.watch import Watch

LOOK_S = 1.0  # between two looks: what is wrong with a camera is said within two seconds


@dataclass(frozen=True)
class Condition:
    """
    Hold how a detector node is: its lifecycle ``state``, and the parts that it has now.

    ``trouble``: why it failed, or refused a transition; '' if it did not. ``details``: the
    failure by name. ``topics``: what it will listen to, cameras or not. ``notice``: why it runs on
    its fallback engine; '' if it does not.
    """

    state: str
    trouble: str
    details: Mapping[str, str]
    topics: Sequence[str]
    notice: str
    detector: Detector | None
    cameras: Sequence[Camera]

    def look(self) -> None:
        """Let each camera look at its counters and the graph."""
        for camera in self.cameras:
            camera.watch.look()

    def statuses(self) -> Iterator[Status]:
        """Yield the status of the detector, and that of each camera."""
        yield _detector_status(self)
        yield from _camera_statuses(self)


def _detector_status(node: Condition) -> Status:
    """Return the status of the detector, as bad as that of its worst camera."""
    level = Level.ERROR if node.trouble else Level.OK
    detector = node.detector
    if detector is None:
        text = node.trouble or 'no network is loaded'
        return Status(level, f'{node.state}: {text}', values=node.details)
    values = {**_values(detector, node.cameras), **node.details}
    if node.trouble:
        return Status(level, f'{node.state}: {node.trouble}', detector.placement, values)
    found = [finding for camera in node.cameras for finding in camera.watch.findings()]
    if node.notice:
        found.insert(0, Finding(Level.WARN, 'fallback engine', node.notice))
    level, text = _worst(found)
    message = f'{node.state} on {detector.placement}'
    return Status(level, f'{message}; {text}' if text else message, detector.placement, values)


def _camera_statuses(node: Condition) -> Iterator[Status]:
    """
    Yield the status of each camera.

    ``topics`` that have no camera yet are there all the same: what vanishes is stale, and an
    error, to diagnostic_aggregator.
    """
    known = {camera.topic for camera in node.cameras}
    for camera in node.cameras:
        level, text = merge(camera.watch.findings(), f'{node.state}: {_ease(camera.watch)}')
        counts = asdict(node.detector.counts.of(camera.topic)) if node.detector else {}
        values = {**camera.watch.figures(), 'lost in transport': _lost(camera), **counts}
        yield Status(level, text, camera.topic, values, _name(camera.topic))
    for topic in node.topics:
        if topic not in known:
            text = f'{node.state}: not subscribed'
            yield Status(Level.OK, text, topic, {}, _name(topic))


def _ease(watch: Watch) -> str:
    if not watch.is_active:
        return 'not subscribed'
    return 'images come' if watch.has_images else 'waiting for the first image'


def _worst(findings: Sequence[Finding]) -> tuple[Level, str]:
    """Return the highest level, and the first sentence of it: the cameras' own say the rest."""
    bad = [finding for finding in findings if finding.level > Level.OK]
    if not bad:
        return Level.OK, ''
    worst = max(bad, key=lambda finding: finding.level)
    return worst.level, worst.text + (f' (and {len(bad) - 1} more)' if len(bad) > 1 else '')


def _values(detector: Detector, cameras: Sequence[Camera]) -> dict[str, object]:
    counts = detector.counts
    values: dict[str, object] = {**detector.facts, **asdict(counts.total)}
    for camera in cameras:
        values[f'{camera.topic} lost in transport'] = _lost(camera)
        own = asdict(counts.of(camera.topic))
        values.update({f'{camera.topic} {name}': number for name, number in own.items()})
    return values


def _lost(camera: Camera) -> int | str:
    lost = camera.lost
    return lost if camera.is_lost_told else f'at least {lost}, this RMW does not tell'


def _name(topic: str) -> str:
    """Return the name that diagnostic_updater gives the status of a topic."""
    return f'{topic} topic status'
