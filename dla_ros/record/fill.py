"""Turning plain data into the dataclasses of a record, with errors that point to the line."""

from collections.abc import Callable, Mapping
from dataclasses import fields
import math
from typing import Any, get_type_hints, TypeVar

from dla_ros.record.document import Document, Place

T = TypeVar('T')


def fill(kind: type[T], document: Document, place: Place, data: Any) -> T:
    """
    Make a section from a mapping; keys left out keep their default.

    Raise RecordError for unknown keys, wrong types, and values that are not among the choices.
    """
    mapping = to_mapping(document, place, data)
    rows = {item.name: item for item in fields(kind)}  # type: ignore[arg-type]
    document.check_keys(place, mapping, list(rows))
    types = get_type_hints(kind)
    values = {}
    for key, value in mapping.items():
        if value is None:
            continue
        values[key] = _READERS[types[key]](document, (*place, key), value)
        choices = rows[key].metadata.get('choices')
        if choices and value not in choices:
            raise document.refuse_value((*place, key), value, f'use {" or ".join(choices)}')
    return kind(**values)


def to_mapping(document: Document, place: Place, data: Any) -> dict[str, Any]:
    """Accept a mapping, or nothing at all."""
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise document.refuse_value(place, data, 'write "key: value" lines under it')
    odd = [key for key in data if not isinstance(key, str)]
    if odd:
        raise document.refuse_value(place, odd[0], 'a key must be text; put it in quotes')
    return data


def to_text(document: Document, place: Place, value: Any) -> str:
    """Accept text only: YAML reads 10.30 as a number and ``no`` as false."""
    if not isinstance(value, str):
        raise document.refuse_value(place, value, 'it must be text; put it in quotes')
    return value


def to_count(document: Document, place: Place, value: Any) -> int:
    """Accept a whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise document.refuse_value(place, value, 'it must be a whole number, 0 or more')
    return value


def to_number(document: Document, place: Place, value: Any) -> float:
    """Accept a finite number; YAML reads 1e-3 (without a point) as text."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise document.refuse_value(place, value, 'it must be a number, as 0.001 or 1.0e-3')
    return float(value)


def to_texts(document: Document, place: Place, value: Any) -> tuple[str, ...]:
    """Accept a list of texts."""
    return tuple(to_text(document, place, each) for each in _to_list(document, place, value))


def to_numbers(document: Document, place: Place, value: Any) -> tuple[float, ...]:
    """Accept a list of numbers."""
    return tuple(to_number(document, place, each) for each in _to_list(document, place, value))


def to_text_by_name(document: Document, place: Place, value: Any) -> dict[str, str]:
    """Accept a mapping whose values are texts."""
    mapping = to_mapping(document, place, value)
    return {key: to_text(document, (*place, key), each) for key, each in mapping.items()}


def _to_list(document: Document, place: Place, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise document.refuse_value(place, value, 'it must be a list, as [a, b] or "- a" lines')
    return value


_READERS: dict[Any, Callable[[Document, Place, Any], Any]] = {
    str: to_text,
    str | None: to_text,
    int | None: to_count,
    float | None: to_number,
    tuple[str, ...]: to_texts,
    Mapping[str, str]: to_text_by_name,
}
