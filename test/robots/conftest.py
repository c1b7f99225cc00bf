"""Robot files written for one test."""

from textwrap import dedent

from dla_ros.robots.robot import Robot
import pytest


@pytest.fixture
def write(tmp_path):
    """Give a function that writes a robot file and gives its path."""

    def write_file(text, name='mine.yaml'):
        path = tmp_path / name
        path.write_text(dedent(text))
        return path

    return write_file


@pytest.fixture
def read(write):
    """Give a function that reads a robot from a text."""
    return lambda text: Robot.open(str(write(text)))
