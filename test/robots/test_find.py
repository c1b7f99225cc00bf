from dla_ros.errors import RobotError
from dla_ros.robots.find import find_robot, shipped_robots
import pytest


def test_a_name_is_one_of_the_package():
    assert find_robot('laptop') in shipped_robots()


def test_a_path_may_be_relative(write, tmp_path, monkeypatch):
    path = write('', 'mine.yaml')
    monkeypatch.chdir(tmp_path)
    assert find_robot('mine.yaml') == path
    assert find_robot('./mine.yaml') == path


def test_an_unknown_name_names_those_that_are_known():
    with pytest.raises(RobotError, match='known are: agx_orin_two_cameras, four_cameras, laptop'):
        find_robot('latop')


def test_a_path_that_leads_nowhere_is_refused(tmp_path):
    with pytest.raises(RobotError, match='there is no robot file'):
        find_robot(str(tmp_path / 'laptop'))
