"""The units of systemd and docs/systemd.md: what they start is there, and starts as they say."""

from configparser import RawConfigParser
import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess

from dla_ros.installation.share import share_file
from dla_ros.robots.arguments import LaunchArguments, meanings
import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / 'docs' / 'systemd.md').read_text()
SYSTEM, USER = 'system', 'user'
UNITS = {kind: share_file(f'config/systemd/{kind}/dla_ros@.service') for kind in (SYSTEM, USER)}
# what stands for ros2, and says its process and its words
ROS2 = '#!/bin/bash\necho $$\nprintf "%s\\n" "$@"\n'


@pytest.fixture(params=UNITS)
def kind(request):
    return request.param


@pytest.fixture
def unit(kind):
    found = RawConfigParser(strict=False, interpolation=None)
    found.optionxform = str
    found.read(UNITS[kind])
    return found


def specified(text, folder):
    """Give a command line as systemd makes it for the instance 'front'."""
    return [
        word.replace('%E', str(folder)).replace('%i', 'front').replace('$$', '$')
        for word in shlex.split(text)
    ]


@pytest.fixture
def started(unit, tmp_path):
    """Give the words that ros2 is started with, after its process is found to be the unit's."""
    workspace = tmp_path / 'work space'
    workspace.mkdir()
    (workspace / 'ros2').write_text(ROS2)
    (workspace / 'ros2').chmod(0o755)
    (workspace / 'setup.bash').write_text(f'export PATH="{workspace}:$PATH"\n')
    command = specified(unit['Service']['ExecStart'], tmp_path / 'et c')
    process = subprocess.Popen(
        command, env={**os.environ, 'WORKSPACE': str(workspace)}, stdout=subprocess.PIPE, text=True
    )
    said, _ = process.communicate(timeout=60)
    pid, *words = said.splitlines()
    assert int(pid) == process.pid, 'a shell in between would get the signals'
    return words


def test_a_unit_starts_the_launch_file_with_the_robot_file_of_its_instance(started, tmp_path):
    assert started[:3] == ['launch', 'dla_ros', 'detector.launch.py']
    assert (ROOT / 'launch' / started[2]).exists()
    given = dict(word.split(':=', 1) for word in started[3:])
    assert set(given) <= set(meanings())
    assert LaunchArguments.parse(given).robot == str(tmp_path / 'et c' / 'dla_ros' / 'front.yaml')


def test_without_a_workspace_a_unit_fails(unit, tmp_path):
    command = specified(unit['Service']['ExecStart'], tmp_path)
    environment = {**os.environ, 'WORKSPACE': str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert 'setup.bash' in done.stderr


def test_a_unit_wants_the_file_that_it_starts(unit):
    robot = unit['Unit']['AssertPathExists']
    assert unit['Service']['ExecStart'].endswith(f' {robot}')
    assert unit['Service']['EnvironmentFile'] == f'-{Path(robot).parent}/environment'


def test_a_unit_ends_the_launch_by_an_interrupt_and_never_gives_up(unit):
    service = unit['Service']
    assert (service['KillSignal'], service['KillMode']) == ('SIGINT', 'mixed')
    assert service['Restart'] == 'always'
    assert unit['Unit']['StartLimitIntervalSec'] == '0'


def test_a_unit_leaves_shared_memory_and_devices_alone(unit):
    hidden = {'PrivateDevices', 'DevicePolicy', 'RemoveIPC', 'DynamicUser', 'InaccessiblePaths'}
    assert not hidden & set(unit['Service'])


def test_a_unit_says_where_files_go_without_a_home():
    text = UNITS[SYSTEM].read_text()
    for variable in ('ROS_HOME', 'ROS_LOG_DIR', 'XDG_CACHE_HOME'):
        assert f'{variable}=%' in text


def test_the_page_names_files_that_are_there_and_keys_of_the_units():
    for kind in UNITS:
        assert f'config/systemd/{kind}/dla_ros@.service' in TEXT
    for words in re.findall(
        r'`(KillSignal|Restart=always|StartLimitIntervalSec=0|User=dla_ros)`', TEXT
    ):
        assert words in UNITS[SYSTEM].read_text()
    for workspace in ('/opt/dla_ros/install', '~/ws/install'):
        assert workspace in TEXT
        assert any(
            f'WORKSPACE={workspace.replace("~", "%h")}' in path.read_text()
            for path in UNITS.values()
        )


def test_systemd_where_it_is_installed_takes_the_unit(kind, tmp_path):
    analyze = shutil.which('systemd-analyze')
    if analyze is None:
        return  # the tests above need none
    done = subprocess.run(
        [analyze, 'verify', f'--{kind}', '--man=no', UNITS[kind]],
        env={**os.environ, 'XDG_RUNTIME_DIR': str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    # it may have something to say of the machine's own units
    assert [line for line in done.stderr.splitlines() if 'dla_ros' in line] == []
