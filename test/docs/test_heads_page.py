"""docs/heads.md: it names every option, and its example is a head that works."""

import configparser
from pathlib import Path
import re
import sys

from dla_ros.errors import HeadError
from dla_ros.heads.registry import find_head, GROUP, HEADS, open_head
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest

TEXT = (Path(__file__).resolve().parents[2] / 'docs' / 'heads.md').read_text()
OPTIONS = re.findall(r'^\| `(\w+)` \| `(\w+)` \|', TEXT, re.MULTILINE)


def tensor(name, *dims):
    return lay_out(name, dims, DataType.FP32, Layout.LINEAR)


INPUT = tensor('images', 1, 3, 64, 64)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install the package of the page as pip would: module, metadata, entry points."""
    (code,) = re.findall(r'```python\n(.*?)```', TEXT, re.DOTALL)
    (words,) = re.findall(r'```ini\n(.*?)```', TEXT, re.DOTALL)
    points = configparser.ConfigParser()
    points.read_string(words)
    info = tmp_path / 'robot_heads-1.0.dist-info'
    info.mkdir()
    (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: robot-heads\nVersion: 1.0\n')
    lines = points['options.entry_points'][GROUP].strip()
    (info / 'entry_points.txt').write_text(f'[{GROUP}]\n{lines}\n')
    (tmp_path / 'robot_heads.py').write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop('robot_heads', None)


@pytest.mark.parametrize('head', HEADS)
def test_the_options_of_the_page_are_those_of_the_head(head):
    with pytest.raises(HeadError) as caught:
        find_head(head).open(INPUT, (), {'colour': 'red'})
    known = str(caught.value).partition('it has: ')[2].split(', ')
    assert sorted(known) == sorted(option for name, option in OPTIONS if name == head)


def test_every_head_is_in_the_table():
    assert set(re.findall(r'^\| `(\w+)` \| [^`]', TEXT, re.MULTILINE)) == set(HEADS)


def test_the_head_of_the_page_finds_its_boxes(installed):
    head = open_head('rows', INPUT, (tensor('out', 1, 6, 1, 3),), {'num_classes': 5})
    rows = np.array(
        [[1, 2, 30, 40, 0.9, 4], [5, 6, 7, 8, 0.2, 1], [0, 0, np.nan, 9, 0.8, 2]], np.float32
    )
    found = head.decode([rows.T.reshape(1, 6, 1, 3)], 0.5)
    assert head.num_classes == 5
    assert found.xyxy.tolist() == [[1, 2, 30, 40]]
    assert found.class_ids.tolist() == [4]


def test_the_head_of_the_page_refuses_another_network(installed):
    with pytest.raises(HeadError, match=r"'rows' needs one output.*out 1x7x1x3"):
        open_head('rows', INPUT, (tensor('out', 1, 7, 1, 3),), {})
