"""The description of every shipped robot, in launch's own words, without starting anything."""

import importlib.util

from dla_ros.robots.find import shipped_robots
from dla_ros.robots.robot import Robot
import pytest

pytest.importorskip('launch_ros', reason='needs a full ROS install')

ROBOTS = [path.stem for path in shipped_robots()]


@pytest.fixture
def module(launch_file):
    spec = importlib.util.spec_from_file_location('detector_launch', launch_file)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture
def describe(module, monkeypatch, tmp_path):
    """Give a function that makes the actions of a launch, and the plan behind them."""
    from launch import LaunchContext

    monkeypatch.setenv('ROS_HOME', str(tmp_path))

    def start(**words):
        context = LaunchContext()
        for entity in module.generate_launch_description().entities[:-1]:
            context.launch_configurations[entity.name] = ''
            if entity.default_value is not None:
                context.launch_configurations[entity.name] = entity.default_value[0].text
        context.launch_configurations.update(words)
        return context, module.start(context)

    return start


def requests(module, context, robot, **words):
    """Give the LoadNode requests that launch_ros makes of a robot's detectors."""
    from dla_ros.robots.arguments import LaunchArguments
    from dla_ros.robots.start import Start
    from launch_ros.actions.load_composable_nodes import get_composable_node_load_request

    plan = Start.of(LaunchArguments.parse({'robot': robot, **words}))
    descriptions = module.to_descriptions(plan)
    return [get_composable_node_load_request(each, context) for each in descriptions]


@pytest.mark.parametrize('robot', ROBOTS)
def test_a_container_and_its_bring_up_are_started(describe, robot):
    _, actions = describe(robot=robot)
    assert [action.node_executable for action in actions] == ['component_container', 'bring_up']
    assert {action.node_package for action in actions} == {'dla_ros'}


@pytest.mark.parametrize('robot', ROBOTS)
def test_a_running_container_is_not_started_again(describe, robot):
    _, (load,) = describe(robot=robot, container='/box', autostart='false', recover='0')
    assert type(load).__name__ == 'LoadComposableNodes'


@pytest.mark.parametrize('robot', ROBOTS)
def test_the_container_is_asked_for_what_the_file_says(describe, module, robot):
    context, _ = describe(robot=robot)
    entries = Robot.open(robot).detectors
    for request, entry in zip(requests(module, context, robot), entries, strict=True):
        assert (request.package_name, request.plugin_name) == ('dla_ros', 'dla_ros::DetectorNode')
        assert f'{request.node_namespace.rstrip("/")}/{request.node_name}' == entry.full_name()
        given = {each.name: each.value for each in request.parameters}
        assert given['engine_file_path'].string_value.endswith('.dla')
        assert tuple(given['image_topics'].string_array_value) == entry.config.image_topics
        assert set(given) == {*entry.parameters, 'engine_file_path', 'launch_id'}
        (extra,) = request.extra_arguments
        assert (extra.name, extra.value) == ('launch_id', given['launch_id'])


def test_texts_that_look_like_numbers_stay_texts(describe, module, tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text("detectors: {a: {engine: /a.dla, label_list: ['7', 'no', ''], head: '1e3'}}")
    context, _ = describe(robot=str(path))
    (request,) = requests(module, context, str(path))
    given = {each.name: each.value for each in request.parameters}
    assert tuple(given['label_list'].string_array_value) == ('7', 'no', '')
    assert given['head'].string_value == '1e3'


def test_topics_are_renamed(describe, module, tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text('detectors: {a: {engine: /a.dla, remap: {detections: people}}}')
    context, _ = describe(robot=str(path))
    (request,) = requests(module, context, str(path), use_sim_time='true')
    assert request.remap_rules == ['detections:=people']
    given = {each.name: each.value for each in request.parameters}
    assert given['use_sim_time'].bool_value is True
