"""docs/record.md: its examples are records, and it leaves no key out."""

from dataclasses import fields
from pathlib import Path
import re

from dla_ros.errors import RecordError
from dla_ros.heads.registry import HEADS
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.record import sections
from dla_ros.record.record import DeploymentRecord
from dla_ros.tensors.format import to_format
import pytest

PAGE = Path(__file__).resolve().parents[2] / 'docs' / 'record.md'
TEXT = PAGE.read_text()
EXAMPLES = re.findall(r'```yaml\n(.*?)```', TEXT, re.DOTALL)
SECTIONS = {
    'source': sections.Source, 'build': sections.Build, 'artifact': sections.Artifact,
    'runtime': sections.Runtime, 'platform': sections.Platform, 'placement': sections.Placement,
    'io.inputs.NAME': sections.Port, 'io.outputs.NAME': sections.Port,
    'preprocessing': Preprocessing, 'head': sections.Head,
}  # fmt: skip


def keys():
    """Give every key there is, as the page writes them."""
    for place, kind in SECTIONS.items():
        yield from (f'{place}.{item.name}' for item in fields(kind))
    yield from ('labels', 'validation', 'benchmark')


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / 'detector.dla.yaml'
        path.write_text(text)
        return DeploymentRecord.read(path)

    return read


def test_the_sections_of_the_page_are_those_of_a_record():
    named = {place.partition('.')[0] for place in SECTIONS} | {'labels', 'validation', 'benchmark'}
    assert named == {item.name for item in fields(DeploymentRecord)}


def test_every_key_has_its_row_and_no_row_is_without_a_key():
    rows = re.findall(r'^\| `([a-zA-Z_.0-9]+)` \|', TEXT, re.MULTILINE)
    assert sorted(rows) == sorted(keys())


def test_every_choice_is_named():
    for choice in (*sections.KINDS, *sections.MODES, *(each.value for each in Padding)):
        assert f'`{choice}`' in TEXT


def test_the_defaults_are_those_of_the_code():
    usual = Preprocessing()
    for name, value in (
        ('encoding', usual.encoding), ('std', f'{usual.std[0]:.0f}'),
        ('padding', usual.padding.value), ('padding_value', str(usual.padding_value)),
    ):  # fmt: skip
        (row,) = re.findall(rf'^\| `preprocessing\.{name}` .*$', TEXT, re.MULTILINE)
        assert f'(default {value})' in row


@pytest.mark.parametrize('example', EXAMPLES)
def test_every_example_is_a_record(read, example):
    record = read(example)
    assert record.head.name in HEADS
    assert record.labels
    assert record.preprocessing is not None


def test_the_full_example_leaves_nothing_out(read):
    record = read(EXAMPLES[1])
    for place in ('source', 'build', 'artifact', 'runtime', 'platform'):
        section = getattr(record, place)
        unset = [item.name for item in fields(section) if getattr(section, item.name) is None]
        assert unset == [], place
    assert record.scales == {'images': 0.0078720935}
    for ports in (record.io.inputs, record.io.outputs):
        assert all(to_format(port.format) for port in ports.values())


def test_the_refusal_shown_is_the_one_that_comes(read):
    wrong = EXAMPLES[1].replace('  mean:', '  meen:')
    with pytest.raises(RecordError) as caught:
        read(wrong)
    _, _, said = str(caught.value).partition(', line ')
    number, _, words = said.partition(': ')
    assert wrong.splitlines()[int(number) - 1].strip().startswith('meen')
    assert f'detector.dla.yaml, line {number}: {words}' in TEXT
