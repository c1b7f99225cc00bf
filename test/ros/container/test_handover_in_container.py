"""Images that go from node to node of a container without DDS."""

from array import array

from dla_ros.scene.encode import encode
from dla_ros.scene.scene import Scene
import pytest
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

CELL = 8
HEIGHT, WIDTH = 216, 320


@pytest.fixture
def load(box):
    """Give a function that loads a node of robot_parts.cameras and gives id and node."""

    def load(name, **fields):
        answer = box.load(f'robot_parts::cameras.{name}', **fields)
        assert answer.success, answer.error_message
        return answer.unique_id, box.inner(answer.unique_id)

    return load


@pytest.fixture
def image():
    picture, _ = Scene.open(7, (HEIGHT, WIDTH), cell=CELL).frame(0)
    data, step = encode(picture, 'rgb8')
    message = Image(height=HEIGHT, width=WIDTH, encoding='rgb8', step=step, data=array('B', data))
    message.header.frame_id = 'left_optical'
    return message


def test_a_viewer_gets_the_very_image_of_the_camera(load, image, wait_until, log):
    (_, camera), (_, viewer) = load('CameraNode'), load('ViewerNode')
    camera.images.publish(image)
    assert wait_until(lambda: viewer.seen)
    assert viewer.seen[0] is image
    camera.images.publish(image)
    assert wait_until(lambda: len(viewer.seen) == 2), 'a callback that raises ends nothing'
    assert log.tells('never saw such a thing')


def test_a_detector_finds_the_objects_of_an_image_that_never_was_in_dds(
    box, load, image, shapes, client_node, wait_until
):
    _, camera = load('CameraNode')
    values = {'engine_file_path': str(shapes / 'shapes.dla'), 'dla_device': 'emulator'}
    answer = box.load('dla_ros::DetectorNode', package='dla_ros', parameters=values)
    lifecycle = box.lifecycle('/dla_detector')
    assert lifecycle.change('configure')
    assert camera.images.get_subscription_count() == 0
    assert lifecycle.change('activate')
    assert camera.images.get_subscription_count() == 1
    assert camera.images.publisher.get_subscription_count() == 0
    arrays = []
    client_node.create_subscription(Detection2DArray, 'detections', arrays.append, 10)
    detector = box.inner(answer.unique_id)
    assert wait_until(lambda: detector.count_subscribers('detections'))
    camera.images.publish(image)
    assert wait_until(lambda: arrays)
    assert arrays[0].header == image.header
    assert arrays[0].detections
    assert lifecycle.change('deactivate')
    assert camera.images.get_subscription_count() == 0


def test_a_camera_that_is_unloaded_leaves_its_place_to_one_outside(
    box, load, image, client_node, wait_until
):
    (number, _), (_, viewer) = load('CameraNode'), load('ViewerNode')
    assert viewer.images.is_handed
    assert box.unload(number).success
    assert not viewer.images.is_handed
    outside = client_node.create_publisher(Image, 'image', 10)
    assert wait_until(lambda: outside.get_subscription_count() == 1)
    assert wait_until(lambda: outside.publish(image) or viewer.seen)


def test_a_viewer_that_is_unloaded_gets_nothing_more(box, load, image):
    (_, camera), (number, viewer) = load('CameraNode'), load('ViewerNode')
    assert box.unload(number).success
    camera.images.publish(image)
    assert camera.images.get_subscription_count() == 0
    assert viewer.seen == []
