"""Folders of a user, or of one without a home."""

from pathlib import Path
import pwd

from dla_ros.errors import ConfigError
from dla_ros.files.folders import cache_folder, expand, ros_folder
import pytest


@pytest.fixture
def nobody(monkeypatch):
    """Let the process belong to a user without HOME and without an entry in passwd."""

    def unknown(_):
        raise KeyError('no such user')

    for name in ('HOME', 'XDG_CACHE_HOME', 'ROS_HOME'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, 'getpwuid', unknown)


def test_a_user_without_a_home_is_told_which_variable_to_set(nobody):
    with pytest.raises(ConfigError, match='set XDG_CACHE_HOME to a folder'):
        cache_folder()
    with pytest.raises(ConfigError, match='set ROS_HOME to a folder'):
        ros_folder()


def test_a_user_without_a_home_may_say_where(nobody, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', '/var/cache')
    monkeypatch.setenv('ROS_HOME', '/var/ros')
    assert (cache_folder(), ros_folder()) == (Path('/var/cache/dla_ros'), Path('/var/ros'))


def test_the_home_of_nobody_is_told():
    with pytest.raises(ConfigError, match=r"'~no_such_user/model\.onnx' cannot be found"):
        expand('~no_such_user/model.onnx')


def test_a_relative_cache_folder_does_not_count(monkeypatch):
    monkeypatch.setenv('HOME', '/home/somebody')
    monkeypatch.setenv('XDG_CACHE_HOME', 'cache')
    assert cache_folder() == Path('/home/somebody/.cache/dla_ros')
