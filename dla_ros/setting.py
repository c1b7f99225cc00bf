"""One row of the parameter table: default, bounds, choices and meaning of a setting."""

from dataclasses import dataclass, Field, field
from enum import Enum
import math
from typing import Any

from dla_ros.entry_points import brought
from dla_ros.errors import ConfigError

Number = int | float
_MOST_INT = 2**1023  # beyond it a whole number has no float


class When(Enum):
    """Say when a setting may change: at start, before configure, or at any time."""

    START = 'at start only'
    UNCONFIGURED = 'while unconfigured'
    LIVE = 'at any time'


@dataclass(frozen=True)
class Setting:
    """
    Describe a setting; ``kind`` is the Python type of one element (str, bool, int, float).

    Names that other packages bring by the entry-point ``group`` are choices as well.
    """

    meaning: str
    kind: type[Any]
    is_list: bool
    default: Any
    low: Number | None = None
    high: Number | None = None
    choices: tuple[str, ...] = ()
    group: str = ''
    when: When = When.UNCONFIGURED

    def check(self, name: str, value: Any) -> Any:
        """Give the value as this setting's type, or raise ConfigError naming what is wrong."""
        if not self.is_list:
            return self._check_one(name, value)
        if isinstance(value, str) or not hasattr(value, '__iter__'):
            raise ConfigError(f'{name} is {value!r}; it must be {self.words()}')
        return tuple(self._check_one(name, item) for item in value)

    def _check_one(self, name: str, value: Any) -> Any:
        if self.kind is float and type(value) is int and abs(value) <= _MOST_INT:
            value = float(value)
        if type(value) is not self.kind:
            kind = type(value).__name__
            raise ConfigError(f'{name} is {value!r} ({kind}); it must be {self.words()}')
        if self.kind is str and '\0' in value:
            raise ConfigError(f'{name} is {value!r}; it must be {self.words()} without NUL')
        is_low = self.low is not None and value < self.low
        is_high = self.high is not None and value > self.high
        is_odd = self.kind is float and not math.isfinite(value)
        if is_low or is_high or is_odd or not self._is_choice(value):
            raise ConfigError(f'{name} is {value!r}; it must be {self.words()}')
        return value

    def _is_choice(self, value: Any) -> bool:
        if not self.choices or value in self.choices:
            return True
        return bool(self.group) and value in brought(self.group)

    def words(self) -> str:
        """Say what a right value is: ``a number from 0.0 to 1.0``."""
        names = {str: 'a string', bool: 'true or false', int: 'a whole number', float: 'a number'}
        text = names[self.kind]
        if self.is_list:
            text = f'a list, each {text}'
        if self.choices:
            text = 'one of ' + ', '.join(repr(choice) for choice in self.choices)
        if self.group:
            text += f', or a name that a package brings ({self.group})'
        if self.low is not None and self.high is not None:
            return f'{text} from {self.low} to {self.high}'
        return text if self.low is None else f'{text}, {self.low} or more'


def setting(default: Any, meaning: str, *, kind: type | None = None, **bounds: Any) -> Any:
    """Make a dataclass field that carries its :class:`Setting`; a tuple default makes a list."""
    is_list = isinstance(default, tuple)
    kind = kind or (type(default[0]) if is_list else type(default))
    row = Setting(meaning, kind, is_list, default, **bounds)
    return field(default=default, metadata={'setting': row})


def setting_of(item: 'Field[Any]') -> Setting:
    """Give the row that :func:`setting` hid in a dataclass field."""
    row: Setting = item.metadata['setting']
    return row
