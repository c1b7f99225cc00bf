"""What an emulated loadable carries beside its tensors: the model, and the int8 scales."""

from collections.abc import Mapping
from dataclasses import replace
import json
import math
from typing import Any

from dla_ros.errors import LoadableError
from dla_ros.files.json_text import parse_json
from dla_ros.loadable.loadable import Blob, Loadable
from dla_ros.tensors.spec import TensorSpec

MODEL, SCALES = 'dla_ros.model.onnx', 'dla_ros.scales.json'


def to_blobs(model: bytes, scales: Mapping[str, float]) -> tuple[Blob, ...]:
    """Make the blobs of an emulated loadable."""
    return Blob(MODEL, model), Blob(SCALES, json.dumps(dict(scales)).encode())


def check_for_emulator(loadable: Loadable, label: str) -> Blob:
    """Give the model's blob; raise LoadableError for a loadable that was built for a DLA."""
    blob = loadable.blob(MODEL)
    if blob is None:
        raise LoadableError(
            f'{label} was built for a DLA: it carries programs for it, no model that the emulator '
            'could run. Make one with: dla_ros emulate MODEL.onnx -o NAME.dla'
        )
    return blob


def scaled(loadable: Loadable, specs: tuple[TensorSpec, ...]) -> tuple[TensorSpec, ...]:
    """Give tensors their int8 scales; a DLA has them in its programs."""
    blob = loadable.blob(SCALES)
    try:
        scales = parse_json(bytes(blob.data)) if blob else {}
        return tuple(replace(spec, scale=_scale(scales, spec.name)) for spec in specs)
    except (ValueError, AttributeError) as error:
        raise LoadableError(f'the scales in this loadable are broken: {error}') from error


def _scale(scales: Mapping[str, Any], name: str) -> float | None:
    value = scales.get(name)
    if value is None:
        return None
    if type(value) not in {int, float} or not 0 < value < math.inf:
        raise ValueError(f"that of '{name}' is {value!r:.60}, not a number above 0")
    return float(value)
