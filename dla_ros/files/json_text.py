"""JSON of strangers: whatever is wrong with it is a ValueError."""

import json
from typing import Any

MOST_DIGITS = 64


def parse_json(text: str | bytes) -> Any:
    """Return what a text holds; raise ValueError where it is not JSON, or beyond measure."""
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError:
        raise ValueError('it has too many lists or objects within each other') from None


def _whole(digits: str) -> int:
    """Return a number that the arithmetic of others still takes."""
    if len(digits) > MOST_DIGITS:
        raise ValueError(f'a number of {len(digits)} digits; at most {MOST_DIGITS} are read')
    return int(digits)
