"""Reading a robot file."""

from pathlib import Path
from typing import Any

from dla_ros.record.document import Document, Place
from dla_ros.record.fill import to_mapping, to_text
from dla_ros.robots.check import check
from dla_ros.robots.detector_entry import DetectorEntry
from dla_ros.robots.document import RobotDocument
from dla_ros.robots.names import is_node_name, NODE_WORDS
from dla_ros.robots.parse_detector import parse_detector

_DLA_CORES = 2  # of AGX Orin, Orin NX 16 GB, AGX Xavier and Xavier NX
_MOST_CORES = 16
_EXECUTORS = ('auto', 'events', 'single', 'multi')  # those of the component container


def parse(path: Path) -> dict[str, Any]:
    """Read the parts that a file holds, by name; raise RobotError where they are wrong."""
    document = RobotDocument.read(path)
    mapping = to_mapping(document, (), document.data)
    document.check_keys((), mapping, ['description', 'detectors', 'dla_cores', 'executor'])
    parts: dict[str, Any] = {'detectors': _detectors(document, mapping.get('detectors'), path)}
    if 'description' in mapping:
        parts['description'] = to_text(document, ('description',), mapping['description'])
    parts['dla_cores'] = _dla_cores(document, mapping.get('dla_cores', _DLA_CORES))
    if 'executor' in mapping:
        parts['executor'] = _executor(document, mapping['executor'])
    # here the lines are known; Robot checks again what overrides have made of it
    check(parts['detectors'], parts['dla_cores'], document.refuse)
    return parts


def _detectors(document: Document, data: Any, path: Path) -> tuple[DetectorEntry, ...]:
    place: Place = ('detectors',)
    if not data:
        raise document.refuse(place, 'is missing or empty; name a detector under it, as "front:"')
    entries = to_mapping(document, place, data)
    for name in entries:
        if not is_node_name(name):
            raise document.refuse((*place, name), f'is no name of a node; use {NODE_WORDS}')
    return tuple(
        parse_detector(document, (*place, name), entries[name], path.parent) for name in entries
    )


def _dla_cores(document: Document, value: Any) -> int:
    if type(value) is not int or not 1 <= value <= _MOST_CORES:
        wanted = f'it must be the number of DLA cores, from 1 to {_MOST_CORES}; Orin has 1 or 2'
        raise document.refuse_value(('dla_cores',), value, wanted)
    return value


def _executor(document: Document, value: Any) -> str:
    if value not in _EXECUTORS:
        wanted = f'it must be one of {", ".join(_EXECUTORS)}'
        raise document.refuse_value(('executor',), value, wanted)
    return str(value)
