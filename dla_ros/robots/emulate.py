"""Loadables for robots that run on the emulated DLA, made when they are first wanted."""

from dataclasses import replace
from hashlib import sha256
import os
from pathlib import Path
import shutil

from dla_ros.errors import RecordError, RobotError
from dla_ros.files.folders import ros_folder
from dla_ros.files.kept import own_folder
from dla_ros.files.scratch import scratch
from dla_ros.record.check import digests_of_weights, sha256_of
from dla_ros.record.record import DeploymentRecord, record_path
from dla_ros.robots.detector_entry import DetectorEntry
from dla_ros.robots.robot import Robot


def with_loadables(robot: Robot, cache: Path | None = None) -> Robot:
    """
    Give the robot with an engine in place of every model to emulate.

    Loadables are kept in ``cache`` (emulated_folder) and made again when the model or its record
    changes. Raise a DlaRosError for a model of which none can be made.
    """
    folder = cache or emulated_folder()
    return replace(robot, detectors=tuple(_with_loadable(e, folder) for e in robot.detectors))


def emulated_folder() -> Path:
    """Give the folder of emulated loadables: in ROS_HOME, which is ~/.ros unless set."""
    return ros_folder() / 'dla_ros' / 'emulated'


def with_engine(entry: DetectorEntry, loadable: Path) -> DetectorEntry:
    """Give the detector with a loadable in place of its model to emulate."""
    parameters = {**entry.parameters, 'engine_file_path': str(loadable)}
    return replace(entry, parameters=parameters, emulate=None)


def _with_loadable(entry: DetectorEntry, cache: Path) -> DetectorEntry:
    return entry if entry.emulate is None else with_engine(entry, _loadable(entry.emulate, cache))


def _loadable(model: Path, cache: Path) -> Path:
    try:
        folder = cache / _key(model)
        loadable = folder / f'{model.stem}.dla'
        if not _is_whole(loadable):
            own_folder(cache)
            _make(model, loadable.name, folder)
    except OSError as err:
        raise RobotError(
            f"no loadable could be made of '{model}' in '{cache}': {err}; set ROS_HOME to a "
            'folder that can be written'
        ) from err
    return loadable


def _is_whole(loadable: Path) -> bool:
    """Tell whether a loadable is there, ours, and the one that its record describes."""
    if not os.path.exists(loadable):
        return False
    own_folder(loadable.parent)
    try:
        record = DeploymentRecord.beside(loadable)
        if record is None or record.artifact.sha256 is None:
            return False
        record.check_artifact(loadable)
    except RecordError:
        return False
    return True


def _key(model: Path) -> str:
    record = record_path(model)
    parts = [sha256_of(path) for path in (model, record) if path.exists()]
    if model.exists():
        parts += [word for row in digests_of_weights(model).items() for word in row]
    return sha256(' '.join(parts).encode()).hexdigest()[:16]


def _make(model: Path, name: str, folder: Path) -> None:
    """Make the loadable aside and move it in whole: two launches may come at the same time."""
    # ONNX is needed only where something is emulated
    from dla_ros.emulator.build import emulate

    with scratch(folder.parent) as place:
        made = place / folder.name
        made.mkdir()
        emulate(model, made / name)
        try:
            made.rename(folder)
        except OSError:
            if not _is_whole(folder / name):
                shutil.rmtree(folder, ignore_errors=True)
                made.rename(folder)
