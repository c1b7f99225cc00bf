"""Reading one detector of a robot file."""

from pathlib import Path
from typing import Any

from dla_ros.config import settings
from dla_ros.errors import ConfigError
from dla_ros.record.document import Document, Place
from dla_ros.record.fill import to_mapping, to_text
from dla_ros.robots.detector_entry import DetectorEntry
from dla_ros.robots.fallback_engine import FallbackEngine, PARAMETERS, RETRY_S
from dla_ros.robots.names import (
    is_namespace,
    is_topic,
    NAMESPACE_WORDS,
    TOPIC_WORDS,
)
from dla_ros.robots.paths import find_file
from dla_ros.setting import Setting
from dla_ros.topics import check_topics

# Keys that somebody will try, and why they are none of a detector's.
_ELSEWHERE = {
    'name': 'is the key above',
    'engine_file_path': "is called 'engine' here",
    'executor': 'belongs to the process all detectors share; write it at the top of the file',
    'tune_malloc': 'belongs to the process all detectors share; set it on the container',
    'launch_id': 'is set by the launch file',
    'fallback_notice': 'is set by bring_up; what to fall back on is said by fallback_engine',
    'frame': 'is not set here: detections carry the header of their image, frame_id included; '
    'set frame_id in the driver of the camera',
}
_ELSEWHERE['frame_id'] = _ELSEWHERE['frame']
_OWN = ['engine', 'emulate', 'fallback_engine', 'namespace', 'remap']


def parse_detector(document: Document, place: Place, data: Any, folder: Path) -> DetectorEntry:
    """Read what stands under a detector's name; raise RobotError where it is wrong."""
    mapping = to_mapping(document, place, data)
    _check_keys(document, place, mapping)
    parameters = _parameters(document, place, mapping)
    emulate = None
    if 'engine' in mapping:
        engine = _file(document, (*place, 'engine'), mapping['engine'], folder)
        parameters['engine_file_path'] = str(engine)
    else:
        emulate = _file(document, (*place, 'emulate'), mapping['emulate'], folder)
        parameters['dla_device'] = 'emulator'
    if 'label_path' in mapping:
        label_path = _file(document, (*place, 'label_path'), mapping['label_path'], folder)
        parameters['label_path'] = str(label_path)
    return DetectorEntry(
        name=place[-1],
        namespace=_namespace(document, (*place, 'namespace'), mapping.get('namespace', '')),
        parameters=parameters,
        remap=_remap(document, (*place, 'remap'), mapping.get('remap')),
        emulate=emulate,
        fallback_engine=_fallback(document, (*place, 'fallback_engine'), mapping, folder),
    )


def _setting(document: Document, place: Place, row: Setting, value: Any) -> Any:
    try:
        return row.check(place[-1], value)
    except ConfigError as err:
        raise document.refuse_value(place, value, f'it must be {row.words()}') from err


def _check_keys(document: Document, place: Place, mapping: dict[str, Any]) -> None:
    for key in mapping:
        if key in _ELSEWHERE:
            raise document.refuse((*place, key), _ELSEWHERE[key])
    known = [name for name in settings() if name not in _ELSEWHERE]
    document.check_keys(place, mapping, [*_OWN, *known])
    if ('engine' in mapping) == ('emulate' in mapping):
        raise document.refuse(
            place,
            'needs one of two keys: engine (a DLA loadable or an ONNX model), or emulate (an ONNX '
            'model to run on the emulated DLA)',
        )
    if 'emulate' in mapping and mapping.get('dla_device', 'emulator') != 'emulator':
        where = (*place, 'dla_device')
        raise document.refuse_value(where, mapping['dla_device'], 'emulate means the emulator')


def _parameters(document: Document, place: Place, mapping: dict[str, Any]) -> dict[str, Any]:
    rows = settings()
    found = {
        key: _setting(document, (*place, key), rows[key], value)
        for key, value in mapping.items()
        if key in rows
    }
    for key, value in found.items():
        if value == ():
            raise document.refuse((*place, key), 'is empty; leave the key out')
    where = (*place, 'image_topics')
    for topic in found.get('image_topics', ()):
        if not is_topic(topic):
            raise document.refuse_value(where, topic, f'a topic is {TOPIC_WORDS}')
    try:
        check_topics(found.get('image_topics', rows['image_topics'].default))
    except ConfigError as err:
        raise document.refuse(where, f'cannot be: {err}') from err
    return found


def _fallback(
    document: Document, place: Place, detector: dict[str, Any], folder: Path
) -> FallbackEngine | None:
    if 'fallback_engine' not in detector:
        return None
    mapping = to_mapping(document, place, detector['fallback_engine'])
    known = ['engine', 'retry_s', *(name for name in PARAMETERS if name not in _ELSEWHERE)]
    document.check_keys(place, mapping, known)
    rows = settings()
    parameters = {
        key: _setting(document, (*place, key), rows[key], value)
        for key, value in mapping.items()
        if key in rows
    }
    if 'engine' in mapping:
        engine = _file(document, (*place, 'engine'), mapping['engine'], folder)
        parameters['engine_file_path'] = str(engine)
    if not parameters:
        raise document.refuse(place, 'is empty; name another engine, or another dla_core')
    retry = _setting(document, (*place, 'retry_s'), RETRY_S, mapping.get('retry_s', 60.0))
    return FallbackEngine(parameters, retry)


def _file(document: Document, place: Place, value: Any, folder: Path) -> Path:
    text = to_text(document, place, value)
    found = find_file(text, folder)
    if found is None:
        wanted = f"it is neither in '{folder}' nor in the share folder of dla_ros; give a path"
        raise document.refuse_value(place, value, wanted)
    return found


def _namespace(document: Document, place: Place, value: Any) -> str:
    text = to_text(document, place, value)
    if not is_namespace(text):
        raise document.refuse_value(place, value, f'a namespace is {NAMESPACE_WORDS}')
    return text


def _remap(document: Document, place: Place, data: Any) -> dict[str, str]:
    rules = to_mapping(document, place, data)
    for key, value in rules.items():
        if not is_topic(key) or not is_topic(to_text(document, (*place, key), value)):
            raise document.refuse_value((*place, key), value, f'a topic is {TOPIC_WORDS}')
    return rules
