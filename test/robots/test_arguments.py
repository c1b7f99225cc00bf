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


@pytest.mark.parametrize('word', ['-1', 'many', '1.5', ''])
def test_how_often_to_recover_is_a_whole_number(word):
    with pytest.raises(RobotError, match=f'recover:={word} must be a whole number'):
        LaunchArguments.parse({'robot': 'laptop', 'recover': word})
    assert LaunchArguments.parse({'robot': 'laptop', 'recover': '0'}).recover == 0


def test_a_namespace_that_cannot_be_is_refused():
    with pytest.raises(RobotError, match=r'namespace:=my-robot cannot be'):
        LaunchArguments.parse({'robot': 'laptop', 'namespace': 'my-robot'})


def test_every_argument_but_the_robot_has_a_default_that_parses_to_itself():
    defaults = {name: default for name, (default, _) in meanings().items() if default is not None}
    assert set(meanings()) - set(defaults) == {'robot'}
    assert LaunchArguments.parse({'robot': 'x', **defaults}) == LaunchArguments('x')


def test_every_argument_says_what_it_means():
    assert all(meaning.endswith('.') for _, meaning in meanings().values())


@pytest.mark.parametrize('level', ['loud', '10', ':=info', 'dla_detector:=', 'a:=b:=info'])
def test_a_log_level_that_ros_does_not_know_is_refused(level):
    with pytest.raises(RobotError, match=r'a level is debug, info, warn, error or fatal'):
        LaunchArguments.parse({'robot': 'laptop', 'log_level': level})


@pytest.mark.parametrize(
    'level', ['', 'debug', 'WARN', 'dla_detector:=debug', '/front/camera:=error']
)
def test_a_log_level_may_be_that_of_one_logger(level):
    assert LaunchArguments.parse({'robot': 'laptop', 'log_level': level}).log_level == level


@pytest.mark.parametrize('enclave', ['front', '/front/', '//', '/1st', '/my-robot'])
def test_an_enclave_that_cannot_be_is_refused(enclave):
    with pytest.raises(RobotError, match="an enclave is a path of names, as '/front'"):
        LaunchArguments.parse({'robot': 'laptop', 'enclave': enclave})
