"""Print every parameter of the detector node, as Markdown or as a parameter file."""

import argparse
import json
from typing import Any

from dla_ros.config import settings
from dla_ros.setting import Setting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument('--format', choices=('markdown', 'yaml'), default='markdown')


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    print(to_yaml() if options.format == 'yaml' else to_markdown(), end='')
    return 0


def to_markdown() -> str:
    """Give the table as the documentation has it."""
    head = '| parameter | default | value | may change | meaning |\n|---|---|---|---|---|\n'
    return head + ''.join(_row(name, row) for name, row in settings().items())


def _row(name: str, row: Setting) -> str:
    cells = (f'`{name}`', f'`{_word(row.default)}`', row.words(), row.when.value, row.meaning)
    return f'| {" | ".join(cells)} |\n'


def to_yaml() -> str:
    """Give a parameter file with every default and its meaning."""
    lines = ['/**:', '  ros__parameters:']
    for name, row in settings().items():
        lines += [f'    # {row.meaning} ({row.words()})', _line(name, row)]
    return '\n'.join(lines) + '\n'


def _line(name: str, row: Setting) -> str:
    if row.is_list and not row.default:
        # an empty list has no type in a parameter file, so it would not be set
        return f'    # {name}: []'
    return f'    {name}: {_word(row.default)}'


def _word(value: Any) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value)
