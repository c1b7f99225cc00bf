from dla_ros.errors import RobotError
from dla_ros.robots.arguments import LaunchArguments
from dla_ros.robots.start import Start
import pytest


def start(robot, outer='', **words):
    return Start.of(LaunchArguments.parse({'robot': str(robot), **words}), outer)


@pytest.fixture
def robot(write):
    return write("""
        executor: single
        detectors:
          left: {engine: /a.dla, namespace: left, slots: 3, remap: {detections: people}}
          right: {engine: /a.dla, namespace: /right, dla_core: 1}
    """)


def test_a_container_is_started_unless_one_is_named(robot):
    ours = start(robot)
    assert (ours.is_container_ours, ours.container) == (True, '/dla_container')
    other = start(robot, container='/box')
    assert (other.is_container_ours, other.container) == (False, '/box')


def test_everything_follows_the_namespace_unless_it_is_absolute(robot):
    plan = start(robot, outer='/fleet', namespace='r1')
    assert plan.container == '/fleet/r1/dla_container'
    assert [each.full_name for each in plan.components] == ['/fleet/r1/left/left', '/right/right']


def test_components_carry_what_the_file_says_and_the_id_of_the_launch(robot):
    plan = start(robot)
    left, right = plan.components
    whose = {'launch_id': plan.launch_id}
    assert left.parameters == {'engine_file_path': '/a.dla', 'slots': 3, **whose}
    assert left.remappings == (('detections', 'people'),)
    assert right.parameters == {'engine_file_path': '/a.dla', 'dla_core': 1, **whose}


def test_every_launch_has_an_id_of_its_own_and_only_its_container_asks_for_it(robot):
    one, other = start(robot), start(robot, container='/box')
    assert one.launch_id != other.launch_id
    assert one.container_parameters['launch_id'] == one.launch_id
    assert one.extra_arguments == {'launch_id': one.launch_id}
    assert other.extra_arguments == {}


def test_simulated_time_goes_to_every_node(robot):
    plan = start(robot, use_sim_time='true')
    assert all(each.parameters['use_sim_time'] for each in plan.components)
    assert plan.container_parameters['use_sim_time'] is True
    assert start(robot).container_parameters.keys() == {'executor', 'launch_id'}


def test_detectors_are_brought_up_by_their_full_names(robot):
    plan = start(robot, namespace='r1')
    words = ['--container', '/r1/dla_container', '--launch-id', plan.launch_id]
    assert plan.bring_up_words == [*words, '--recover', '3', '/r1/left/left', '/right/right']
    assert '--keep-going' in start(robot, keep_going='true').bring_up_words
    assert '/box' in start(robot, container='box').bring_up_words


def test_detectors_that_others_activate_are_watched_unless_that_is_not_wanted(robot):
    assert '--only-watch' not in start(robot).bring_up_words
    plan = start(robot, autostart='false')
    assert plan.needs_bring_up
    assert '--only-watch' in plan.bring_up_words
    assert not start(robot, autostart='false', recover='0').needs_bring_up
    assert start(robot, recover='0').needs_bring_up


def test_log_level_and_enclave_become_ros_arguments(robot):
    assert start(robot).ros_arguments == ['--log-level', 'info']
    assert start(robot, enclave='/dla', log_level='').ros_arguments == ['--enclave', '/dla']


def test_engine_and_core_are_for_a_single_detector(robot):
    (single,) = start('orin_nx', engine='/b.dla', dla_core='0').components
    assert single.parameters['engine_file_path'] == '/b.dla'
    with pytest.raises(RobotError, match='is for a robot with one detector'):
        start(robot, dla_core='1')


def test_a_model_to_emulate_is_a_loadable_by_then(monkeypatch, tmp_path):
    monkeypatch.setenv('ROS_HOME', str(tmp_path))
    (component,) = start('laptop').components
    assert component.parameters['engine_file_path'].startswith(str(tmp_path))
    assert component.parameters['dla_device'] == 'emulator'
