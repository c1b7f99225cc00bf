"""Loadables made before a start, by the Python that can."""

from importlib import util
import os
from pathlib import Path
import subprocess
import sys

from dla_ros.cli.main import main
from dla_ros.errors import RobotError
from dla_ros.installation.own_command import own_command
from dla_ros.robots.prepare import prepared
from dla_ros.scene.card import write_shape_detector
import pytest


@pytest.fixture
def robot(read, tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_HOME', str(tmp_path / 'ros'))
    write_shape_detector(tmp_path / 'shapes.onnx', (64, 64), stride=8)
    return read('detectors: {a: {emulate: shapes.onnx}, b: {engine: /b.dla, namespace: b}}')


@pytest.fixture
def without_onnx(monkeypatch):
    """Make this Python one that lacks ONNX, as the one that runs `ros2 launch` may."""
    find = util.find_spec
    monkeypatch.setattr(
        'dla_ros.robots.prepare.find_spec', lambda name: None if name == 'onnx' else find(name)
    )


def test_another_python_makes_what_this_one_cannot(robot, without_onnx):
    made, other = prepared(robot).detectors
    assert made.emulate is None
    assert Path(made.engine).is_file()
    assert other.engine == '/b.dla'


def test_both_make_the_same_file(robot, without_onnx, monkeypatch):
    there = prepared(robot)
    monkeypatch.undo()
    monkeypatch.setenv('ROS_HOME', str(robot.path.parent / 'ros'))
    assert prepared(robot) == there


def test_what_the_other_python_refuses_is_said_here(robot, without_onnx):
    (robot.path.parent / 'shapes.onnx').write_bytes(b'no model')
    with pytest.raises(RobotError, match=r"^'.*shapes\.onnx' is not an ONNX model"):
        prepared(robot)


def test_a_robot_that_emulates_nothing_needs_no_onnx(read, without_onnx, monkeypatch):
    monkeypatch.setattr('dla_ros.robots.prepare.own_command', lambda: ['false'])
    robot = read('detectors: {b: {engine: /b.dla}}')
    assert prepared(robot) == robot


def test_the_command_prints_the_engine_of_each_detector(robot, capsys):
    assert main(['robot', 'prepare', str(robot.path)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith('a: ')
    assert Path(first.removeprefix('a: ')).is_file()
    assert second == 'b: /b.dla'


def test_the_script_of_the_workspace_is_preferred_to_this_python(tmp_path, monkeypatch):
    script = tmp_path / 'lib/dla_ros/dla_ros'
    script.parent.mkdir(parents=True)
    script.write_text('#!/bin/sh\n')
    script.chmod(0o755)
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'{tmp_path / "other"}{os.pathsep}{tmp_path}')
    assert own_command() == [str(script)]
    monkeypatch.setenv('AMENT_PREFIX_PATH', '')
    words = [*own_command(), 'robot', 'list']
    assert words[0] == sys.executable
    assert subprocess.run(words, capture_output=True).returncode == 0
