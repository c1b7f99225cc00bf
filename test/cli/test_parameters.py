from pathlib import Path

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
