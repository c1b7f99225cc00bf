"""Write the hand-built networks as files, each with the record that says how to use it."""

import hashlib
from pathlib import Path

from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.record.record import DeploymentRecord, record_path
from dla_ros.record.sections import Artifact, Head, Io, Port, Source
from dla_ros.scene.colours import CLASSES
from dla_ros.scene.null_network import build_null_network
from dla_ros.scene.shape_detector import build_shape_detector

LICENCE = 'Apache-2.0'
ORIGIN = 'dla_ros.scene, weights set by hand'
# Steps that hold all the shape detector's numbers for shapes on the grid exactly: quarters of a
# score, whole and half cells. The input's step only has to tell colours apart.
SCALES = {'images': 1 / 127, 'heatmap': 1 / 64, 'size': 1 / 8, 'shift': 1 / 64}


def write_shape_detector(
    path: Path, height_width: tuple[int, int], *, stride: int = 8, encoding: str = 'rgb8'
) -> DeploymentRecord:
    """
    Write the shape detector and, beside it, its record; give the record.

    See :func:`dla_ros.scene.shape_detector.build_shape_detector` for the settings.
    """
    model = build_shape_detector(height_width, stride=stride, encoding=encoding)
    channels = 1 if encoding == 'mono8' else 3
    preprocessing = Preprocessing(
        encoding, (0.0,) * channels, (255.0,) * channels, Padding.CENTER, padding_value=0
    )
    return _write(path, model, preprocessing, tuple(CLASSES))


def write_null_network(
    path: Path, height_width: tuple[int, int], *, encoding: str = 'rgb8'
) -> DeploymentRecord:
    """Write the network that costs and finds nothing, and its record; give the record."""
    channels = 1 if encoding == 'mono8' else 3
    model = build_null_network(height_width, channels=channels)
    preprocessing = Preprocessing(encoding, (0.0,) * channels, (255.0,) * channels)
    return _write(path, model, preprocessing, ('nothing',))


def _write(
    path: Path,
    model: bytes,
    preprocessing: Preprocessing,
    labels: tuple[str, ...],
) -> DeploymentRecord:
    path.write_bytes(model)
    digest = hashlib.sha256(model).hexdigest()
    record = DeploymentRecord(
        source=Source(file=path.name, sha256=digest, origin=ORIGIN, licence=LICENCE),
        artifact=Artifact(kind='onnx_model', sha256=digest, size=len(model)),
        io=Io(
            inputs={'images': Port(scale=SCALES['images'])},
            outputs={name: Port(scale=SCALES[name]) for name in ('heatmap', 'size', 'shift')},
        ),
        preprocessing=preprocessing,
        head=Head('centernet', {'activation': 'none'}),
        labels=labels,
    )
    record.write(record_path(path))
    return record
