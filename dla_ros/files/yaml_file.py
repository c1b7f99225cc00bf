"""
The one door to YAML: what a file means, bounded in size, depth and in what its aliases unfold to.

A few hundred bytes can stand for gigabytes where aliases point to lists of aliases, and tags make
PyYAML raise whatever their texts run into. Files for robots need neither.
"""

from dataclasses import dataclass, field
from typing import Any

import yaml

MOST_BYTES = 1 << 20  # of a file; records and robot files have some thousand
MOST_NODES = 100_000  # keys, values, lists and mappings, those behind an alias counted again
MOST_DEPTH = 50
MOST_DIGITS = 64  # characters of a number

Place = tuple[str, ...]
_NUMBERS = {'tag:yaml.org,2002:int', 'tag:yaml.org,2002:float'}
_TAG = 'tag:yaml.org,2002:'


class YamlError(ValueError):
    """Say in one line, with the number of the text's line, what is wrong with a text."""


@dataclass(frozen=True)
class Yaml:
    """Hold plain data, and the line where each key stands."""

    data: Any
    lines: dict[Place, int] = field(default_factory=dict)


def parse_yaml(text: str) -> Yaml:
    """Read a text; raise YamlError where it is not YAML, has a key twice, or is beyond bounds."""
    if len(text) > MOST_BYTES:
        raise YamlError(f'it has {len(text)} characters; at most {MOST_BYTES} are read')
    lines: dict[Place, int] = {}
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
        _note_lines(root, (), lines, set())
        return Yaml(None if root is None else loader.construct_document(root), lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f'line {mark.line + 1}: ' if mark else ''
        words = ', '.join(part for part in (error.context, error.problem) if part)
        raise YamlError(f'{where}{words}') from error
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError(' '.join(str(error).split())) from error


def to_yaml(data: Any, line: int) -> str:
    """Write plain data in the order it has, lines up to a length; raise YamlError for other."""
    try:
        text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=line)
    except yaml.YAMLError as error:
        raise YamlError(' '.join(str(error).split())) from error
    return text


class _Loader(yaml.SafeLoader):
    """Count what is composed, before anything is made of it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._composed = self._depth = 0
        # of each finished node: all the nodes that it unfolds to, and how deep they lie
        self._extent: dict[int, tuple[int, int]] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose a node, of which an alias is one that is finished."""
        self._composed += 1
        self._depth += 1
        event = self.peek_event()  # type: ignore[no-untyped-call]
        self._refuse_beyond(self._composed, self._depth, event)
        is_alias = self.check_event(yaml.AliasEvent)
        node = super().compose_node(parent, index)
        self._depth -= 1
        if not is_alias:
            self._extent[id(node)] = self._measure(node)
        elif id(node) not in self._extent:
            raise _error('an alias stands within what it stands for', node)
        return node

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Make a value; a tag that its text does not fit raises whatever it likes in PyYAML."""
        try:
            return super().construct_object(node, deep)
        except yaml.YAMLError:
            raise
        except Exception as error:
            raise _error(f'{_short(node)} is no {node.tag.removeprefix(_TAG)}', node) from error

    def _measure(self, node: Any) -> tuple[int, int]:
        if isinstance(node, yaml.ScalarNode):
            if node.tag in _NUMBERS and len(node.value) > MOST_DIGITS:
                text = f'a number of {len(node.value)} characters; at most {MOST_DIGITS} are read'
                raise _error(text, node)
            if _is_broken(node.value):
                raise _error('half of a character, as \\ud800, which no text can have', node)
            return 1, 1
        children = node.value
        if isinstance(node, yaml.MappingNode):
            children = [each for pair in node.value for each in pair]
        extents = [self._extent[id(each)] for each in children]
        count = 1 + sum(count for count, _ in extents)
        depth = 1 + max((depth for _, depth in extents), default=0)
        self._refuse_beyond(count, depth, node)
        return count, depth

    def _refuse_beyond(self, count: int, depth: int, node: Any) -> None:
        if count > MOST_NODES:
            raise _error(f'more than {MOST_NODES} values, what aliases stand for included', node)
        if depth > MOST_DEPTH:
            raise _error(f'more than {MOST_DEPTH} lists or mappings within each other', node)


def _error(problem: str, node: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)


def _is_broken(text: str) -> bool:
    """Tell whether a text has a lone surrogate: it could be neither printed nor published."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _short(node: Any) -> str:
    return f'{node.value!r:.60}' if isinstance(node, yaml.ScalarNode) else f'this {node.id}'


def _note_lines(node: Any, place: Place, lines: dict[Place, int], seen: set[int]) -> None:
    """Remember the line of every key; an alias is not followed twice, which could take ages."""
    if not isinstance(node, yaml.MappingNode) or id(node) in seen:
        return
    seen.add(id(node))
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _error(f'a {key.id} cannot be a key; a key is text', key)
        inner = (*place, key.value)
        if inner in lines:
            raise _error(f"'{'.'.join(inner)}' stands twice, see line {lines[inner]}", key)
        lines[inner] = key.start_mark.line + 1
        _note_lines(value, inner, lines, seen)
