"""Read the options of a head out of a deployment record."""

from collections.abc import Sequence
import math
from typing import Any

from dla_ros.errors import HeadError
from dla_ros.heads.protocol import Options

ACTIVATIONS = ('none', 'sigmoid')


def check_names(head: str, options: Options, known: Sequence[str]) -> None:
    """Raise HeadError for an option this head does not have."""
    unknown = [name for name in options if name not in known]
    if unknown:
        raise HeadError(
            f"head '{head}' has no option {', '.join(map(repr, unknown))}; "
            f'it has: {", ".join(known) or "none"}'
        )


def number(head: str, options: Options, name: str, default: float) -> float:
    """Give a finite number; raise HeadError if it is none."""
    value = options.get(name, default)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value):
        raise _wrong(head, name, value, f'a number such as {default}')
    return float(value)


def count(head: str, options: Options, name: str, default: int, least: int = 0) -> int:
    """Give a whole number of at least ``least``; raise HeadError if it is none."""
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise _wrong(head, name, value, f'a whole number from {least}, such as {default}')
    return value


def counts(head: str, options: Options, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
    """Give a list of whole numbers of at least 1; raise HeadError if it is none."""
    value = options.get(name, default)
    is_list = isinstance(value, (list, tuple)) and len(value) > 0
    if not is_list or not all(type(each) is int and each > 0 for each in value):
        raise _wrong(head, name, value, f'a list of whole numbers such as {list(default)}')
    return tuple(value)


def names(head: str, options: Options, name: str) -> tuple[str, ...] | None:
    """Give a list of names, None where nobody gave one; raise HeadError if it is no such list."""
    value = options.get(name)
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
        raise _wrong(head, name, value, 'a list of names')
    return tuple(value)


def flag(head: str, options: Options, name: str, default: bool) -> bool:
    """Give true or false; raise HeadError for anything else."""
    value = options.get(name, default)
    if not isinstance(value, bool):
        raise _wrong(head, name, value, 'true or false')
    return value


def choice(head: str, options: Options, name: str, allowed: Sequence[str], default: str) -> str:
    """Give one of the allowed words; raise HeadError for another."""
    value = options.get(name, default)
    if value not in allowed:
        raise _wrong(head, name, value, ' or '.join(allowed))
    return str(value)


def _wrong(head: str, name: str, value: Any, right: str) -> HeadError:
    return HeadError(f"head '{head}': option {name} is {value!r}; it should be {right}")
