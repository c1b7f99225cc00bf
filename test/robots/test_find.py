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


@pytest.mark.parametrize('name', ['robots', './robots', 'robots.yaml'])
def test_a_directory_is_called_one_and_its_files_are_named(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    (tmp_path / name / 'mine.yaml').touch()
    with pytest.raises(RobotError, match=r'is a directory, not a robot file; .*/mine\.yaml'):
        find_robot(name)


def test_what_is_no_file_is_called_what_it_is():
    with pytest.raises(RobotError, match="'/dev/null' is no robot file: it is a device"):
        find_robot('/dev/null')
