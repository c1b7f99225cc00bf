from pathlib import Path

from dla_ros.robots.arguments import meanings
from dla_ros.robots.find import shipped_robots
import pytest

DOCS = Path(__file__).resolve().parents[2] / 'docs'


@pytest.mark.parametrize('name', meanings())
def test_every_launch_argument_is_in_the_documentation(name):
    assert f'| `{name}` |' in (DOCS / 'launch.md').read_text()


@pytest.mark.parametrize('name', [path.stem for path in shipped_robots()])
def test_every_shipped_robot_is_in_the_documentation(name):
    assert f'| `{name}` |' in (DOCS / 'robots.md').read_text()
