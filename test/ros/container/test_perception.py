"""The example stack: camera, detector and tracker, in one container."""

from array import array
from pathlib import Path

from builtin_interfaces.msg import Time
from dla_ros.scene.encode import encode
from dla_ros.scene.scene import Scene
import pytest
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

EXAMPLES = Path(__file__).resolve().parents[3] / 'examples'
CELL = 8
HEIGHT, WIDTH = 216, 320


@pytest.fixture
def stack(box, shapes, monkeypatch):
    """Give a container with the camera, an active detector and the tracker."""
    monkeypatch.syspath_prepend(EXAMPLES / 'dla_tracker')
    values = {'engine_file_path': str(shapes / 'shapes.dla'), 'dla_device': 'emulator'}
    camera = box.load('robot_parts::cameras.CameraNode')
    detector = box.load('dla_ros::DetectorNode', package='dla_ros', parameters=values)
    tracker = box.load('dla_tracker::tracker_node.TrackerNode', package='dla_tracker')
    for answer in (camera, detector, tracker):
        assert answer.success, answer.error_message
    lifecycle = box.lifecycle('/dla_detector')
    assert lifecycle.change('configure')
    assert lifecycle.change('activate')
    box.camera = box.inner(camera.unique_id)
    return box


def message(scene, number):
    picture, _ = scene.frame(number)
    data, step = encode(picture, 'rgb8')
    image = Image(height=HEIGHT, width=WIDTH, encoding='rgb8', step=step, data=array('B', data))
    image.header.stamp = Time(sec=7, nanosec=number)
    return image


def test_objects_keep_their_numbers_from_camera_to_tracks(stack, client_node, wait_until):
    scene = Scene.open(7, (HEIGHT, WIDTH), cell=CELL)
    arrays = []
    client_node.create_subscription(Detection2DArray, 'tracks', arrays.append, 10)
    assert wait_until(lambda: client_node.count_publishers('tracks'))
    assert wait_until(lambda: stack.camera.count_subscribers('tracks'))
    for number in range(5):
        # the same picture each time: each object has to be found where it was
        image = message(scene, 0)
        image.header.stamp.nanosec = number
        stack.camera.images.publish(image)
        assert wait_until(lambda n=number: len(arrays) == n + 1)
    ids = [sorted(each.id for each in array_.detections) for array_ in arrays]
    assert len(ids[0]) == len(scene.truth(0))
    assert ids == [ids[0]] * 5
    assert len(set(ids[0])) == len(ids[0])


def test_numbers_start_anew_when_time_jumps_back(stack, client_node, wait_until):
    scene = Scene.open(7, (HEIGHT, WIDTH), cell=CELL)
    arrays = []
    client_node.create_subscription(Detection2DArray, 'tracks', arrays.append, 10)
    assert wait_until(lambda: client_node.count_publishers('tracks'))
    assert wait_until(lambda: stack.camera.count_subscribers('tracks'))
    for number, stamp in enumerate((5, 4)):
        image = message(scene, 0)
        image.header.stamp.nanosec = stamp
        stack.camera.images.publish(image)
        assert wait_until(lambda n=number: len(arrays) == n + 1)
    before, after = ({each.id for each in array_.detections} for array_ in arrays)
    assert not before & after
