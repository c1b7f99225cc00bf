from dla_ros.errors import RobotError
from dla_ros.robots.arguments import LaunchArguments, meanings
import pytest


def test_words_become_values_of_the_right_type():
    words = {'robot': 'laptop', 'keep_going': 'True', 'autostart': '0', 'ros_namespace': '/outer'}
    arguments = LaunchArguments.parse(words)
    assert (arguments.robot, arguments.keep_going, arguments.autostart) == ('laptop', True, False)
    assert arguments.use_sim_time is False


def test_what_is_neither_true_nor_false_is_refused():
    with pytest.raises(RobotError, match=r'keep_going:=yes must be true or false'):
        LaunchArguments.parse({'robot': 'laptop', 'keep_going': 'yes'})


def test_a_namespace_that_cannot_be_is_refused():
    with pytest.raises(RobotError, match=r'namespace:=my-robot cannot be'):
        LaunchArguments.parse({'robot': 'laptop', 'namespace': 'my-robot'})


def test_every_argument_but_the_robot_has_a_default_that_parses_to_itself():
    defaults = {name: default for name, (default, _) in meanings().items() if default is not None}
    assert set(meanings()) - set(defaults) == {'robot'}
    assert LaunchArguments.parse({'robot': 'x', **defaults}) == LaunchArguments('x')


def test_every_argument_says_what_it_means():
    assert all(meaning.endswith('.') for _, meaning in meanings().values())
