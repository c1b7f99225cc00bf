"""docs/jetson.md: what can be run without a DLA is run; what it names is there."""

from pathlib import Path
import re
import shlex

from dla_ros.cli.main import parser
from dla_ros.record.record import DeploymentRecord
import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / 'docs' / 'jetson.md').read_text()
WORDS = re.sub(r'\\\n\s+', ' ', TEXT)
COMMANDS = [
    line.partition('>')[0]
    for line in re.findall(r'^    (dla_ros .*)$', WORDS, re.MULTILINE)
]  # fmt: skip


def test_the_record_of_the_page_is_made(tmp_path, monkeypatch):
    (code,) = re.findall(r'```python\n(.*?)```', TEXT, re.DOTALL)
    (tmp_path / 'models').symlink_to(ROOT / 'models')
    (tmp_path / 'nanodet.dla').write_bytes(b'....NVDA and what trtexec wrote')
    monkeypatch.chdir(tmp_path)
    exec(compile(code, 'jetson.md', 'exec'), {})
    record = DeploymentRecord.beside('nanodet.dla')
    record.check_artifact('nanodet.dla')
    assert (record.head.name, len(record.labels)) == ('nanodet', 80)
    assert record.artifact.kind == 'dla_standalone_loadable'


@pytest.mark.parametrize('command', COMMANDS)
def test_the_command_line_understands_the_page(command):
    options = parser().parse_args(shlex.split(command)[1:])
    assert options.verb in {'inspect', 'detect'}


def test_commands_are_found_at_all():
    assert len(COMMANDS) == 4


def test_every_file_named_is_there():
    names = re.findall(r'(?<![\w./])((?:test|scripts|models)/[\w./]*\w)', TEXT)
    assert names
    missing = [name for name in names if not (ROOT / name).exists()]
    assert missing == []
