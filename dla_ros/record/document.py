"""A YAML file with the line of every key, so that an error can point to it."""

from difflib import get_close_matches
from pathlib import Path
import reprlib
from typing import Any

from dla_ros.errors import DlaRosError, RecordError
import yaml

Place = tuple[str, ...]


class Document:
    """
    Hold the plain data of a YAML file, and where each key stands.

    A child may call the file by another ``noun``, and refuse with another ``error``.
    """

    noun = 'record'
    error: type[DlaRosError] = RecordError

    def __init__(self, name: str, data: Any, lines: dict[Place, int]) -> None:
        """Keep what :meth:`read` or :meth:`of` found."""
        self.name = name
        self.data = data
        self._lines = lines

    @classmethod
    def read(cls, path: Path) -> 'Document':
        """Read a file; raise ``error`` where it is missing, not text or not YAML."""
        try:
            text = path.read_text(encoding='utf-8')
        except OSError as error:
            reason = error.strerror or error
            raise cls.error(f"cannot read the {cls.noun} '{path}': {reason}") from error
        except UnicodeDecodeError as error:
            raise cls.error(f"the {cls.noun} '{path}' is not UTF-8 text: {error}") from error
        return cls.of(str(path), text)

    @classmethod
    def of(cls, name: str, text: str) -> 'Document':
        """Parse a text; ``name`` stands in errors."""
        lines: dict[Place, int] = {}
        try:
            loader = yaml.SafeLoader(text)
            root = loader.get_single_node()
            _note_lines(root, (), lines, set())
            data = None if root is None else loader.construct_document(root)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise cls.error(f"the {cls.noun} '{name}' is not valid YAML: {error}") from error
        return cls(name, data, lines)

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


def _note_lines(node: Any, place: Place, lines: dict[Place, int], seen: set[int]) -> None:
    """Remember the line of every key; an alias is not followed twice, which could take ages."""
    if not isinstance(node, yaml.MappingNode) or id(node) in seen:
        return
    seen.add(id(node))
    for key, value in node.value:
        inner = (*place, str(key.value))
        if inner in lines:
            raise yaml.YAMLError(f"'{'.'.join(inner)}' stands twice, see line {lines[inner]}")
        lines[inner] = key.start_mark.line + 1
        _note_lines(value, inner, lines, seen)
