"""A YAML file with the line of every key, so that an error can point to it."""

from difflib import get_close_matches
from pathlib import Path
import reprlib
from typing import Any

from dla_ros.errors import DlaRosError, RecordError
from dla_ros.files.regular_file import read_regular
from dla_ros.files.yaml_file import MOST_BYTES, parse_yaml, Place, Yaml, YamlError

__all__ = ['Document', 'Place']


class Document:
    """
    Hold the plain data of a YAML file, and where each key stands.

    A child may call the file by another ``noun``, and refuse with another ``error``.
    """

    noun = 'record'
    error: type[DlaRosError] = RecordError

    def __init__(self, name: str, yaml: Yaml) -> None:
        """Keep what :meth:`read` or :meth:`of` found."""
        self.name = name
        self.data = yaml.data
        self._lines = yaml.lines

    @classmethod
    def read(cls, path: Path) -> 'Document':
        """Read a file; raise ``error`` where it is missing, not text or not YAML."""
        try:
            text = read_regular(path, MOST_BYTES).decode('utf-8-sig')
        except OSError as error:
            reason = error.strerror or error
            raise cls.error(f"cannot read the {cls.noun} '{path}': {reason}") from error
        except UnicodeDecodeError as error:
            raise cls.error(f"the {cls.noun} '{path}' is not UTF-8 text: {error}") from error
        return cls.of(str(path), text)

    @classmethod
    def of(cls, name: str, text: str) -> 'Document':
        """Parse a text; ``name`` stands in errors."""
        try:
            return cls(name, parse_yaml(text))
        except YamlError as error:
            raise cls.error(f"the {cls.noun} '{name}' is not valid YAML: {error}") from error

    def refuse(self, place: Place, problem: str) -> DlaRosError:
        """Make an error that points to a key, or to what it should stand under."""
        line = self._lines.get(place) or self._lines.get(place[:-1])
        where = f'{self.name}, line {line}' if line else self.name
        what = f"'{'.'.join(place)}'" if place else f'the {self.noun}'
        return self.error(f'{where}: {what} {problem}')

    def refuse_value(self, place: Place, value: Any, wanted: str) -> DlaRosError:
        """Make an error that shows a value and says what would be right."""
        return self.refuse(place, f'is {reprlib.repr(value)}; {wanted}')

    def check_keys(self, place: Place, mapping: dict[Any, Any], known: list[str]) -> None:
        """Raise ``error`` for a key that does not exist, naming the nearest that does."""
        for key in mapping:
            if key not in known:
                near = get_close_matches(str(key), known, 1)
                hint = f"did you mean '{near[0]}'?" if near else f'known are: {", ".join(known)}'
                raise self.refuse((*place, str(key)), f'is not known; {hint}')
