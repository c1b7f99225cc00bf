from dla_ros.errors import RobotError
from dla_ros.robots.override import override
import pytest

ONE = 'detectors: {a: {engine: /a.dla, slots: 3}}'
TWO = 'detectors: {a: {engine: /a.dla, namespace: a}, b: {engine: /a.dla, namespace: b}}'


def test_nothing_given_leaves_the_robot_as_it_is(read):
    robot = read(TWO)
    assert override(robot) is robot


def test_engine_and_core_of_a_single_detector_can_be_others(read, tmp_path, monkeypatch):
    (tmp_path / 'b.dla').touch()
    monkeypatch.chdir(tmp_path)
    (entry,) = override(read(ONE), engine='b.dla', dla_core='1').detectors
    assert (entry.engine, entry.dla_core) == (str(tmp_path / 'b.dla'), 1)
    assert entry.config.slots == 3


def test_an_engine_takes_the_place_of_a_model_to_emulate(read):
    robot = read('detectors: {a: {emulate: /m.onnx}}')
    (entry,) = override(robot, engine='/a.dla').detectors
    assert (entry.engine, entry.config.dla_device) == ('/a.dla', 'emulator')


def test_several_detectors_refuse_and_are_named(read):
    with pytest.raises(
        RobotError, match=r"dla_core:=1 is for a robot with one.*'mine' has 2: a, b"
    ):
        override(read(TWO), dla_core='1')


@pytest.mark.parametrize('core', ['16', 'one', '-1', '1.0'])
def test_a_core_that_is_no_core_is_refused(read, core):
    with pytest.raises(RobotError, match='must be a whole number from 0 to 15'):
        override(read(ONE), dla_core=core)


def test_a_core_that_the_computer_lacks_is_refused(read):
    with pytest.raises(RobotError, match='dla_cores is 2'):
        override(read(ONE), dla_core='2')


def test_an_engine_that_is_nowhere_is_refused(read):
    with pytest.raises(RobotError, match="there is no engine 'nowhere"):
        override(read(ONE), engine='nowhere.dla')
