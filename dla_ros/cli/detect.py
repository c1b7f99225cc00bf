"""Detect objects in pictures, print them as JSON lines, and draw them if asked."""

import argparse
from collections.abc import Sequence
from functools import partial
import json
from pathlib import Path
from typing import Any

import cv2
from dla_ros.config import DetectorConfig, settings
from dla_ros.detections import Detections
from dla_ros.detector import Detector
from dla_ros.errors import DlaRosError, EngineError, ImageError
from dla_ros.files.json_text import parse_json
from dla_ros.files.regular_file import read_regular
from dla_ros.images.compressed import decode
from dla_ros.images.drawing import draw
from dla_ros.images.image import ImageView, MAX_PIXELS
from dla_ros.preprocess.bgr import to_bgr
from dla_ros.setting import Setting

_MOST_BYTES = 1 << 28  # of a picture file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument('engine', type=Path, help='DLA loadable or ONNX model')
    parser.add_argument('pictures', type=Path, nargs='+', help='jpeg or png files')
    parser.add_argument('--draw', type=Path, metavar='FOLDER', help='write pictures with boxes')
    parser.add_argument('-p', '--parameter', action='append', default=[], metavar='NAME:=VALUE',
                        help='a parameter of the node, as dla_device:=emulator')  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Detect in every picture, a line for each as it comes; what has none is told at the end."""
    errors: list[str] = []
    config = read_config(options.engine, options.parameter)
    most = config.max_image_pixels
    with Detector.open(config) as detector:
        loads = [partial(read_picture, path, most) for path in options.pictures]
        results = detector.detect_many(loads, return_exceptions=True)
        try:
            for path, found in zip(options.pictures, results, strict=True):
                if isinstance(found, ImageError):
                    errors.append(str(found))
                    continue
                print(json.dumps(to_record(path, found, detector.labels)), flush=True)
                if options.draw:
                    write_drawing(options.draw, path, found, detector.labels, most)
        except EngineError as err:
            errors.append(str(err))
    if errors:
        raise DlaRosError('; '.join(errors))
    return 0


def read_config(engine: Path, pairs: Sequence[str]) -> DetectorConfig:
    """Make settings of NAME:=VALUE words, values in JSON or plain text."""
    values: dict[str, Any] = {'engine_file_path': str(engine)}
    for pair in pairs:
        name, sign, text = pair.partition(':=')
        if not sign or name not in DetectorConfig.__dataclass_fields__:
            raise DlaRosError(
                f"'{pair}' is not NAME:=VALUE of a parameter; see dla_ros parameters"
            )
        values[name] = read_value(settings()[name], text)
    return DetectorConfig.of(values)


def read_value(row: Setting, text: str) -> Any:
    """Read JSON, or plain text; a setting that is text keeps it, be it a number or an object."""
    try:
        value = parse_json(text)
    except ValueError:
        return text
    is_text = row.kind is str and not row.is_list
    return text if is_text and not isinstance(value, str) else value


def read_picture(path: Path, max_pixels: int = MAX_PIXELS) -> ImageView:
    """Decode a picture file; raise ImageError, with its name, if it is none."""
    try:
        return decode(read_regular(path, _MOST_BYTES), path.suffix.lstrip('.').lower(), max_pixels)
    except OSError as err:
        raise ImageError(f"picture '{path}' cannot be read: {err.strerror or err}") from err
    except ImageError as err:
        raise ImageError(f"picture '{path}': {err}") from err


def to_record(picture: Path, found: Detections, labels: Sequence[str]) -> dict[str, Any]:
    """Return one picture's detections as plain data, boxes as x1, y1, x2, y2 in pixels."""
    rows = zip(found.xyxy.tolist(), found.scores.tolist(), found.class_ids.tolist(), strict=True)
    boxes = [{'label': labels[i], 'score': score, 'xyxy': box} for box, score, i in rows]
    return {'picture': str(picture), 'detections': boxes}


def write_drawing(
    folder: Path,
    picture: Path,
    found: Detections,
    labels: Sequence[str],
    max_pixels: int = MAX_PIXELS,
) -> None:
    """Write the picture with its boxes as FOLDER/NAME.png."""
    path = folder / f'{picture.stem}.png'
    drawn = draw(to_bgr(read_picture(picture, max_pixels)), found, labels)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode('.png', drawn)[1].tobytes())
    except OSError as err:
        raise DlaRosError(f"'{path}' cannot be written: {err.strerror or err}") from err
