"""docs/composition.md: its tables are those of the code, its classes and commands are there."""

import ast
from importlib import import_module
from pathlib import Path
import re

from dla_ros.errors import ConfigError
from dla_ros.ros.container.component import Component
from dla_ros.ros.container.parameters import ROWS
from dla_ros.ros.executors import open_executor
import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / 'docs' / 'composition.md').read_text()
SETUP = (ROOT / 'setup.py').read_text()
BLOCKS = re.findall(r'```python\n(.*?)```', TEXT, re.DOTALL)


def test_the_parameters_of_the_container_have_their_rows():
    rows = re.findall(r'^\| `(\w+)` \| `"?(\w*)"?` \|', TEXT, re.MULTILINE)
    known = {name: str(row.default).lower() for name, row in ROWS.items()}
    assert dict(rows) == known


def test_every_executor_is_named():
    with pytest.raises(ConfigError) as refused:
        open_executor('turbo')
    names = re.findall(r'use (.*)', str(refused.value))[0].replace(' or ', ', ').split(', ')
    row = next(line for line in TEXT.splitlines() if line.startswith('| `executor`'))
    assert len(names) == 4
    assert all(f'`{name}`' in row for name in names)


def test_the_modules_of_the_examples_are_there():
    names = [
        (node.module, alias.name)
        for block in BLOCKS
        for node in ast.walk(ast.parse(block))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert len(names) == 2
    for module, name in names:
        assert hasattr(import_module(module), name)


def test_our_plugin_names_are_classes():
    names = set(re.findall(r'dla_ros::[\w.]*\w', TEXT))
    assert len(names) == 2
    assert len({Component.parse('dla_ros', name).load() for name in names}) == 1


def test_our_executables_are_installed():
    for name in re.findall(r'ros2 run dla_ros (\w+)', TEXT):
        assert f"'{name} = " in SETUP
