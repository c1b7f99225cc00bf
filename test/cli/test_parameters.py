from pathlib import Path
import subprocess
import sys

from dla_ros.cli.parameters import to_markdown, to_yaml
from dla_ros.config import DetectorConfig
import yaml

HOME = Path(__file__).resolve().parents[2]


def test_the_documentation_holds_the_table_as_it_is():
    assert to_markdown() in (HOME / 'docs' / 'node.md').read_text(), 'run: make docs'


def test_the_parameter_file_holds_the_table_as_it_is():
    assert to_yaml() == (HOME / 'config' / 'detector.yaml').read_text(), 'run: make docs'


def test_the_parameter_file_is_the_default_config():
    loaded = yaml.safe_load((HOME / 'config' / 'detector.yaml').read_text())
    assert DetectorConfig.of(loaded['/**']['ros__parameters']) == DetectorConfig()


def test_a_full_disk_behind_the_output_is_a_sentence():
    with open('/dev/full', 'w') as full:
        done = subprocess.run(
            [sys.executable, '-m', 'dla_ros.cli.main', 'parameters'],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    said = 'dla_ros parameters: the output cannot be written: No space left on device\n'
    assert (done.returncode, done.stderr) == (1, said)
