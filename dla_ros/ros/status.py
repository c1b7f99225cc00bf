"""One sentence and the figures behind it: how the detector does."""

from collections.abc import Iterable
from dataclasses import asdict

from dla_ros.detector import Detector
from dla_ros.pipeline.counters import Counts
from dla_ros.ros.camera import Camera
from dla_ros.ros.diagnostics import ERROR, OK, Status, WARN


def detector_status(
    state: str, failure: str, detector: Detector | None, cameras: Iterable[Camera]
) -> Status:
    """Give the status of a detector node in a lifecycle state."""
    if failure:
        return Status(ERROR, f'{state}: {failure}')
    if detector is None:
        return Status(OK, f'{state}: no network is loaded')
    counts = detector.counts
    values: dict[str, object] = {**detector.facts, **asdict(counts.total)}
    for camera in cameras:
        values[f'{camera.topic} lost in transport'] = camera.lost
        own = counts.by_source.get(camera.topic, Counts())
        values.update({f'{camera.topic} {name}': n for name, n in asdict(own).items()})
    level = WARN if counts.total.invalid or counts.total.failed else OK
    return Status(level, f'{state} on {detector.placement}', detector.placement, values)
