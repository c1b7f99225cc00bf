"""docs/engines.md: it names everything of the contract, and the example that it shows."""

from pathlib import Path
import re

from dla_ros.config import DetectorConfig
from dla_ros.engines.protocol import Binding, Engine, EngineType
from dla_ros.loadable.file_kind import HEAD_BYTES
import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / 'docs' / 'engines.md').read_text()


@pytest.mark.parametrize('contract', [EngineType, Engine, Binding], ids=lambda each: each.__name__)
def test_everything_of_the_contract_is_on_the_page(contract):
    names = {*vars(contract), *contract.__annotations__}
    names = {name for name in names if not name.startswith('_')}
    assert names
    assert [name for name in names if not re.search(rf'`{name}[`(]', TEXT)] == []


def test_the_entry_point_of_the_page_is_that_of_the_example():
    (line,) = re.findall(r"\{'dla_ros.engines':.*\}", TEXT)
    assert line in (ROOT / 'examples' / 'dla_opencv' / 'setup.py').read_text()


def test_the_parameters_of_the_page_are_parameters():
    for name in ('backend', 'engine_options', 'task_timeout_ms', 'slots'):
        assert f'`{name}' in TEXT
        assert name in DetectorConfig.__dataclass_fields__
    assert f'first {HEAD_BYTES} bytes' in TEXT
