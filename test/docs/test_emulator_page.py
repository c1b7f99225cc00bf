"""docs/emulator.md: it names every option and call, and its examples are understood."""

from pathlib import Path
import re

from dla_ros.emulator.options import _READERS, EmulatorOptions, SHORT, TASK, VARIABLE
import pytest

TEXT = (Path(__file__).resolve().parents[2] / 'docs' / 'emulator.md').read_text()
EXAMPLES = re.findall(r'`((?:[a-z_]+=[a-z_]*:?[0-9][0-9:]*|driver=\w+)(?:,[^`]+)?)`', TEXT)


def test_every_option_has_its_row():
    rows = re.findall(r'^\| `(\w+)` \| ', TEXT, re.MULTILINE)
    assert sorted(rows) == sorted(_READERS)


def test_every_call_is_named():
    (words,) = re.findall(r'Calls are (.*?):', TEXT, re.DOTALL)
    assert re.findall(r'`(\w+)`', words) == [*SHORT, 'fail', TASK]
    assert f'`{VARIABLE}`' in TEXT


def test_the_defaults_are_those_of_the_code():
    usual = EmulatorOptions()
    for name in ('task_ms', 'cores', 'network', 'threads', 'driver', 'version'):
        (default,) = re.findall(rf'^\| `{name}` \| (\w+) \|', TEXT, re.MULTILINE)
        value = getattr(usual, name)
        assert default == (value if isinstance(value, str) else f'{value:.0f}')


@pytest.mark.parametrize('example', EXAMPLES)
def test_every_example_is_understood(example):
    assert EmulatorOptions.parse(example) != EmulatorOptions()


def test_examples_are_found_at_all():
    assert len(EXAMPLES) >= 7
