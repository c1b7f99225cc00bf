"""Reading the parts of a deployment record from YAML."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dla_ros.errors import ConfigError
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.record import sections
from dla_ros.record.document import Document, Place
from dla_ros.record.fill import fill, to_count, to_mapping, to_numbers, to_text, to_texts

# "Standalone" has two meanings, and people write the one where the other is asked for.
_MODE_IS_NOT_KIND = (
    'it must be hybrid. "Standalone" has two meanings: the file is built as a standalone loadable '
    '(trtexec --buildDLAStandalone; that is artifact.kind), and is run in hybrid mode, where CUDA '
    'streams order the work. Running standalone (NvSci, no CUDA) is not supported'
)


def parse(path: Path) -> dict[str, Any]:
    """Read the parts that a file holds, by name; raise RecordError where they are wrong."""
    document = Document.read(path)
    mapping = to_mapping(document, (), document.data) if document.data is not None else {}
    document.check_keys((), mapping, list(_PARTS))
    present = {key: value for key, value in mapping.items() if value is not None}
    return {key: _PARTS[key](document, (key,), value) for key, value in present.items()}


def _section(kind: type[Any]) -> Callable[[Document, Place, Any], Any]:
    return lambda document, place, data: fill(kind, document, place, data)


def _to_runtime(document: Document, place: Place, data: Any) -> sections.Runtime:
    if to_mapping(document, place, data).get('mode') == 'standalone':
        raise document.refuse_value((*place, 'mode'), 'standalone', _MODE_IS_NOT_KIND)
    return fill(sections.Runtime, document, place, data)


def _to_io(document: Document, place: Place, data: Any) -> sections.Io:
    mapping = to_mapping(document, place, data)
    document.check_keys(place, mapping, ['inputs', 'outputs'])
    return sections.Io(
        **{key: _to_ports(document, (*place, key), mapping[key]) for key in mapping}
    )


def _to_ports(document: Document, place: Place, data: Any) -> dict[str, sections.Port]:
    ports = {}
    for name, value in to_mapping(document, place, data).items():
        port = fill(sections.Port, document, (*place, name), value)
        if port.scale is not None and port.scale <= 0:
            wanted = 'it must be above 0: real = stored * scale'
            raise document.refuse_value((*place, name, 'scale'), port.scale, wanted)
        ports[name] = port
    return ports


def _to_head(document: Document, place: Place, data: Any) -> sections.Head:
    mapping = to_mapping(document, place, data)
    document.check_keys(place, mapping, ['name', 'options'])
    if not mapping.get('name'):
        raise document.refuse((*place, 'name'), 'is missing; name the head, as nanodet or yolox')
    name = to_text(document, (*place, 'name'), mapping['name'])
    options = to_mapping(document, (*place, 'options'), mapping.get('options'))
    return sections.Head(name, options)


def _to_preprocessing(document: Document, place: Place, data: Any) -> Preprocessing:
    mapping = to_mapping(document, place, data)
    document.check_keys(place, mapping, list(_PIXELS))
    values = {
        key: _PIXELS[key](document, (*place, key), value)
        for key, value in mapping.items()
        if value is not None
    }
    try:
        return Preprocessing(**values)
    except ConfigError as error:
        raise document.refuse(place, f'cannot be: {error}') from error


def _to_padding(document: Document, place: Place, value: Any) -> Padding:
    names = [each.value for each in Padding]
    if value not in names:
        raise document.refuse_value(place, value, f'use {" or ".join(names)}')
    return Padding(value)


_PIXELS: dict[str, Callable[[Document, Place, Any], Any]] = {
    'encoding': to_text,
    'mean': to_numbers,
    'std': to_numbers,
    'padding': _to_padding,
    'padding_value': to_count,
}

_PARTS: dict[str, Callable[[Document, Place, Any], Any]] = {
    'source': _section(sections.Source),
    'build': _section(sections.Build),
    'artifact': _section(sections.Artifact),
    'runtime': _to_runtime,
    'platform': _section(sections.Platform),
    'placement': _section(sections.Placement),
    'io': _to_io,
    'preprocessing': _to_preprocessing,
    'head': _to_head,
    'labels': to_texts,
    'validation': to_mapping,
    'benchmark': to_mapping,
}
