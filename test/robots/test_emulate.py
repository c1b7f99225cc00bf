import os
from pathlib import Path

from dla_ros.errors import DlaRosError, RobotError
from dla_ros.loadable.loadable import Loadable
from dla_ros.record.record import DeploymentRecord
from dla_ros.robots.emulate import emulated_folder, with_loadables
from dla_ros.scene.card import write_shape_detector
import onnx
import pytest


@pytest.fixture
def robot(read, tmp_path):
    write_shape_detector(tmp_path / 'shapes.onnx', (64, 64), stride=8)
    return read('detectors: {a: {emulate: shapes.onnx}, b: {engine: /b.dla, namespace: b}}')


def test_a_model_becomes_a_loadable_with_its_record(robot, tmp_path):
    made, other = with_loadables(robot, tmp_path / 'cache').detectors
    assert made.emulate is None
    assert Loadable.read(Path(made.engine)).inputs
    assert DeploymentRecord.beside(made.engine) is not None
    assert other.engine == '/b.dla'


def test_it_is_made_once(robot, tmp_path):
    first = with_loadables(robot, tmp_path / 'cache').detectors[0].engine
    stamp = Path(first).stat().st_mtime_ns
    assert with_loadables(robot, tmp_path / 'cache').detectors[0].engine == first
    assert Path(first).stat().st_mtime_ns == stamp


def test_another_record_makes_another_loadable(robot, tmp_path):
    first = with_loadables(robot, tmp_path / 'cache').detectors[0].engine
    with (tmp_path / 'shapes.onnx.yaml').open('a') as file:
        file.write('# another word\n')
    assert with_loadables(robot, tmp_path / 'cache').detectors[0].engine != first


def test_new_weights_beside_the_same_graph_make_another_loadable(robot, tmp_path):
    path = tmp_path / 'shapes.onnx'
    (tmp_path / 'shapes.onnx.yaml').unlink()
    onnx.save(
        onnx.load(path), path, save_as_external_data=True, location='weights', size_threshold=0
    )
    graph = path.read_bytes()
    first = with_loadables(robot, tmp_path / 'cache').detectors[0].engine
    weights = (tmp_path / 'weights').read_bytes()
    (tmp_path / 'weights').write_bytes(bytes(len(weights)))
    assert path.read_bytes() == graph
    assert with_loadables(robot, tmp_path / 'cache').detectors[0].engine != first


def test_nothing_is_left_of_a_model_that_is_none(read, tmp_path):
    (tmp_path / 'shapes.onnx').write_bytes(b'no model')
    robot = read('detectors: {a: {emulate: shapes.onnx}}')
    with pytest.raises(DlaRosError):
        with_loadables(robot, tmp_path / 'cache')
    assert list((tmp_path / 'cache').iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused(robot, tmp_path):
    (tmp_path / 'cache').write_text('a file')
    with pytest.raises(RobotError, match='set ROS_HOME'):
        with_loadables(robot, tmp_path / 'cache')


def test_loadables_lie_in_the_home_of_ros(monkeypatch, tmp_path):
    monkeypatch.setenv('ROS_HOME', str(tmp_path))
    assert emulated_folder() == tmp_path / 'dla_ros' / 'emulated'
    monkeypatch.delenv('ROS_HOME')
    assert emulated_folder() == Path.home() / '.ros' / 'dla_ros' / 'emulated'


@pytest.mark.parametrize('content', [b'', b'cut off'])
def test_a_loadable_that_is_broken_is_made_again(robot, tmp_path, content):
    entry = with_loadables(robot, tmp_path / 'cache').detectors[0]
    loadable = Path(entry.engine)
    whole = loadable.read_bytes()
    loadable.write_bytes(content)
    again = with_loadables(robot, tmp_path / 'cache').detectors[0]
    assert again.engine == entry.engine
    assert loadable.read_bytes() == whole


def test_the_folder_of_loadables_is_the_users_alone(robot, tmp_path):
    before = os.umask(0)
    try:
        with_loadables(robot, tmp_path / 'cache')
    finally:
        os.umask(before)
    assert (tmp_path / 'cache').stat().st_mode & 0o777 == 0o700
