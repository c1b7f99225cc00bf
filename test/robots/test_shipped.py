from dla_ros.robots.find import shipped_robots
from dla_ros.robots.robot import Robot
import pytest

ROBOTS = [path.stem for path in shipped_robots()]


def test_the_promised_robots_are_there():
    assert set(ROBOTS) >= {'agx_orin_two_cameras', 'orin_nx', 'four_cameras', 'laptop'}


@pytest.mark.parametrize('name', ROBOTS)
def test_a_shipped_robot_is_as_it_should_be(name):
    robot = Robot.open(name)
    assert robot.description
    for entry in robot.detectors:
        assert not any(topic.startswith('/') for topic in entry.config.image_topics), (
            'absolute topics would not follow namespace:='
        )


def test_two_cameras_have_a_core_each():
    assert Robot.open('agx_orin_two_cameras').handles == {0: 1, 1: 1}


def test_four_cameras_share_two_cores():
    robot = Robot.open('four_cameras')
    assert robot.handles == {0: 1, 1: 1}
    assert sum(len(entry.topics()) for entry in robot.detectors) == 4


def test_the_laptop_looks_at_the_bag_that_comes_along():
    (entry,) = Robot.open('laptop').detectors
    assert entry.topics() == {'/camera/image_raw': '/camera/detections'}
    assert entry.config.image_transport == 'compressed'
    assert entry.emulate is not None
    assert entry.emulate.is_file()
