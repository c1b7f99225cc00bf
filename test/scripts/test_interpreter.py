import os
import shutil
import sys

from provision.interpreter import find_interpreter, Interpreter
from provision.process import SetupError
import pytest


def interpreter(version, modules=()):
    return Interpreter('python', version, 'linux-x86_64', True, True, modules)


def test_the_base_python_is_asked_not_the_environment_it_was_called_from():
    found = find_interpreter(sys.executable)
    assert found.version == sys.version_info[:3]
    assert not found.path.startswith(sys.prefix + os.sep)


def test_a_python_that_does_not_exist_is_named():
    with pytest.raises(SetupError, match=r'3\.10 to 3\.13 is needed; found None'):
        find_interpreter('no-such-python')


def test_names_on_the_path_that_do_not_run_are_passed_over(tmp_path, monkeypatch):
    shim = tmp_path / 'python3'
    shim.write_text('#!/bin/sh\nexit 127\n')
    shim.chmod(0o755)
    usable = f'python{sys.version_info[0]}.{sys.version_info[1]}'
    (tmp_path / usable).symlink_to(shutil.which(sys.executable))
    monkeypatch.setenv('PATH', str(tmp_path), prepend=os.pathsep)
    assert find_interpreter('').is_suitable


@pytest.mark.parametrize(
    ('version', 'suits'),
    [((3, 9, 18), False), ((3, 10, 0), True), ((3, 13, 9), True), ((3, 14, 0), False)],
)
def test_only_versions_with_wheels_are_suitable(version, suits):
    assert interpreter(version).is_suitable is suits


def test_a_sourced_ros_is_one_whose_rclpy_needs_no_environment():
    assert interpreter((3, 12, 3), ('rclpy', 'numpy')).has_ros
    assert not interpreter((3, 12, 3), ('numpy',)).has_ros
