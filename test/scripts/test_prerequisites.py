from dataclasses import replace
from pathlib import Path

from provision import prerequisites
from provision.interpreter import Interpreter
from provision.process import SetupError
import pytest

BARE = Interpreter('python3.12', (3, 12, 3), 'linux-x86_64', True, True, ())
SOURCED = replace(BARE, modules=('rclpy', 'vision_msgs', 'composition_interfaces'))


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """Have a PATH with nothing but the named tools."""

    def put(*names):
        for name in names:
            tool = Path(tmp_path, name)
            tool.write_text('#!/bin/sh\n')
            tool.chmod(0o755)

    monkeypatch.setenv('PATH', str(tmp_path))
    for variable in ('CC', 'CXX'):
        monkeypatch.delenv(variable, raising=False)
    return put


def test_a_complete_machine_is_silent(tools):
    tools('cc', 'c++', 'cmake', 'make')
    prerequisites.check(BARE, 'kilted')


def test_every_missing_tool_is_named_at_once(tools):
    tools('make')
    with pytest.raises(SetupError, match=r'sudo apt install cmake g\+\+ gcc$'):
        prerequisites.check(BARE, 'kilted')


def test_a_python_in_parts_is_completed_from_apt(tools):
    tools('cc', 'c++', 'cmake', 'make')
    with pytest.raises(SetupError, match=r'apt install python3\.12-venv python3\.12-dev$'):
        prerequisites.check(replace(BARE, has_venv=False, has_headers=False), 'jazzy')


def test_a_sourced_ros_needs_no_build_tools(tools):
    tools('cc')
    prerequisites.check(SOURCED, 'rolling')


def test_a_sourced_ros_without_vision_msgs_says_how_to_get_it(tools):
    tools('cc')
    lacking = replace(SOURCED, modules=('rclpy', 'composition_interfaces'))
    with pytest.raises(SetupError, match=r'install ros-jazzy-vision-msgs$'):
        prerequisites.check(lacking, 'jazzy')


def test_a_distribution_without_wheels_is_refused_by_name(tools):
    with pytest.raises(SetupError, match=r'ROS_DISTRO=humble is not available as wheels'):
        prerequisites.check(BARE, 'humble')
