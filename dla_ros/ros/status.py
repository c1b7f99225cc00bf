"""One sentence and the figures behind it: how the detector does."""

from collections.abc import Iterable
from typing import Optional

from dla_ros.detector import Detector
from dla_ros.ros.camera import Camera
from dla_ros.ros.diagnostics import ERROR, OK, Status, WARN


def detector_status(
    state: str, failure: str, detector: Optional[Detector], cameras: Iterable[Camera]
) -> Status:
    """Give the status of a detector node in a lifecycle state."""
    if failure:
        return Status(ERROR, f'{state}: {failure}')
    if detector is None:
        return Status(OK, f'{state}: no network is loaded')
    counters = detector.counters
    values: dict[str, object] = dict(detector.facts)
    values.update(counters.total.as_dict())
    for camera in cameras:
        values[f'{camera.topic} lost in transport'] = camera.lost
        for name, count in counters.of(camera.topic).as_dict().items():
            values[f'{camera.topic} {name}'] = count
    level = WARN if counters.total.invalid or counters.total.failed else OK
    return Status(level, f'{state} on {detector.placement}', detector.placement, values)
