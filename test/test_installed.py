"""What colcon, or the set-up of the environment, has installed: this package as users meet it."""

import os
from pathlib import Path
import subprocess

from ament_index_python.packages import get_package_prefix
from ament_index_python.resources import get_resource
from dla_ros.ros.container.component import Component
import pytest

ROOT = Path(__file__).resolve().parent.parent
PREFIX = Path(get_package_prefix('dla_ros'))
SHARED = ('config', 'launch', 'models')
# colcon's; of a virtual environment
SOURCES = (PREFIX / 'share/dla_ros/package.bash', PREFIX / 'bin/activate')


def files_of(top, follow):
    found = (Path(place) / name for place, _, names in os.walk(top, followlinks=follow)
             for name in names if not name.endswith('.pyc'))  # fmt: skip
    return sorted(path.relative_to(top) for path in found)


@pytest.mark.parametrize('folder', SHARED)
def test_a_walk_that_follows_no_links_finds_every_file_once(folder):
    wanted = files_of(ROOT / folder, follow=True)
    assert wanted
    assert files_of(PREFIX / 'share/dla_ros' / folder, follow=False) == wanted


def in_a_shell(words):
    """Run words in a new shell that has sourced what a user sources."""
    source = next(path for path in SOURCES if path.exists())
    return subprocess.run(
        ['bash', '-c', f'. "{source}" && {words}'],
        env={**os.environ, 'PATH': '/usr/bin:/bin'},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_command_is_on_the_path_of_a_shell_that_sourced_the_workspace():
    done = in_a_shell('type -P dla_ros && dla_ros robot list')
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f'{PREFIX}/bin/dla_ros\n')
    assert 'laptop ' in done.stdout


def test_the_command_is_where_ros2_run_looks():
    done = subprocess.run([PREFIX / 'lib/dla_ros/dla_ros', 'robot', 'list'], capture_output=True)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_has_enough_ends_the_command_quietly():
    done = in_a_shell('dla_ros parameters | true')
    assert done.stderr == ''


def test_the_ament_index_names_the_component_as_the_container_takes_it():
    content, _ = get_resource('rclcpp_components', 'dla_ros')
    (line,) = content.splitlines()
    plugin, semicolon, library = line.partition(';')
    assert semicolon
    assert ';' not in library, 'rclcpp takes no third part'
    assert Component.parse('dla_ros', plugin).load().__name__ == 'DetectorNode'
