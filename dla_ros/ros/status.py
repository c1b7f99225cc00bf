"""Sentences and the figures behind them: how the detector and each of its cameras do."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from dla_ros.detector import Detector
from dla_ros.health.finding import Finding, Level, merge
from dla_ros.ros.diagnostics import Status
from dla_ros.ros.watch import Watch


def detector_status(
    state: str, trouble: str, detector: Detector | None, watches: Sequence[Watch]
) -> Status:
    """
    Return the status of a detector node in a lifecycle state, as bad as that of its worst camera.

    ``trouble``: why it failed, or refused a transition; '' if it did not.
    """
    level = Level.ERROR if trouble else Level.OK
    if detector is None:
        return Status(level, f'{state}: {trouble or "no network is loaded"}')
    values = _values(detector, watches)
    if trouble:
        return Status(level, f'{state}: {trouble}', detector.placement, values)
    level, text = _worst([finding for watch in watches for finding in watch.findings()])
    message = f'{state} on {detector.placement}'
    return Status(level, f'{message}; {text}' if text else message, detector.placement, values)


def camera_statuses(
    state: str, topics: Sequence[str], detector: Detector | None, watches: Sequence[Watch]
) -> Iterator[Status]:
    """
    Yield the status of each camera.

    Those of ``topics`` that nobody watches are not subscribed to; they are there all the same,
    since what vanishes is stale, and an error, to diagnostic_aggregator.
    """
    watched = {watch.topic for watch in watches}
    for watch in watches:
        level, text = merge(watch.findings(), f'{state}: {_ease(watch)}')
        counts = asdict(detector.counts.of(watch.topic)) if detector is not None else {}
        values = {**watch.figures(), 'lost in transport': watch.lost, **counts}
        yield Status(level, text, watch.topic, values, _name(watch.topic))
    for topic in topics:
        if topic not in watched:
            yield Status(Level.OK, f'{state}: not subscribed', topic, {}, _name(topic))


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


def _values(detector: Detector, watches: Sequence[Watch]) -> dict[str, object]:
    counts = detector.counts
    values: dict[str, object] = {**detector.facts, **asdict(counts.total)}
    for watch in watches:
        values[f'{watch.topic} lost in transport'] = watch.lost
        own = asdict(counts.of(watch.topic))
        values.update({f'{watch.topic} {name}': number for name, number in own.items()})
    return values


def _name(topic: str) -> str:
    """Return the name that diagnostic_updater gives the status of a topic."""
    return f'{topic} topic status'
