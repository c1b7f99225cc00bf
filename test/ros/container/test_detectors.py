"""Detectors in a container: one device handle each, and none left behind."""

from array import array

from dla_ros.emulator import running
import pytest
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray


@pytest.fixture
def load_detector(box, shapes):
    """Give a function that loads an emulated detector and gives its id and lifecycle client."""

    def load(name, **parameters):
        values = {
            'engine_file_path': str(shapes / 'shapes.dla'), 'dla_device': 'emulator',
            'slots': 1, **parameters,
        }  # fmt: skip
        answer = box.load(
            'dla_ros::DetectorNode', package='dla_ros', parameters=values, node_name=name
        )
        assert answer.success, answer.error_message
        return answer.unique_id, box.lifecycle(f'/{name}')

    return load


def held():
    """Count what the emulated DLA has given away."""
    report = running().report() if running() is not None else None
    return (report.open_handles, report.registrations) if report is not None else (0, 0)


def forgotten():
    """List what this process has leaked so far; other tests do it on purpose."""
    return running().report().leaks if running() is not None else ()


def test_unloading_an_active_detector_gives_its_device_back(box, load_detector):
    before = forgotten()
    number, lifecycle = load_detector('one')
    assert lifecycle.change('configure')
    assert lifecycle.change('activate')
    assert held()[0] == 1
    assert box.unload(number).success
    assert held() == (0, 0)
    assert forgotten() == before


def test_a_detector_that_is_configuring_is_not_torn_down(box, load_detector, client_node):
    from lifecycle_msgs.srv import ChangeState

    number, lifecycle = load_detector('slow', dla_emulator_options='delay=load:700')
    change = client_node.create_client(ChangeState, '/slow/change_state')
    request = ChangeState.Request()
    request.transition.label = 'configure'
    change.call_async(request)
    while lifecycle.state() == 'unconfigured':
        pass
    assert box.unload(number).success, 'unload waits for the end of the transition'
    assert held() == (0, 0)


def test_a_core_has_16_handles_and_the_17th_says_so(load_detector, log):
    for number in range(16):
        _, lifecycle = load_detector(f'd{number}')
        assert lifecycle.change('configure')
    assert held()[0] == 16
    _, lifecycle = load_detector('d16')
    assert not lifecycle.change('configure')
    assert log.tells('all its 16 handles in use')
    _, lifecycle = load_detector('other_core', dla_core=1)
    assert lifecycle.change('configure')


def test_a_slow_configure_does_not_stop_the_detections_of_the_neighbour(
    box, load_detector, client_node
):
    from lifecycle_msgs.srv import ChangeState

    _, quick = load_detector('quick')
    assert quick.change('configure')
    assert quick.change('activate')
    load_detector('slow', dla_emulator_options='delay=load:1500', image_topics=['/other/image'])
    arrays = []
    client_node.create_subscription(Detection2DArray, 'detections', arrays.append, 10)
    camera = client_node.create_publisher(Image, 'image', 10)
    image = Image(height=48, width=64, encoding='mono8', step=64, data=array('B', bytes(48 * 64)))
    request = ChangeState.Request()
    request.transition.label = 'configure'
    change = client_node.create_client(ChangeState, '/slow/change_state')
    assert change.wait_for_service(10)
    pending = change.call_async(request)
    for _ in range(500):
        if pending.done():
            break
        camera.publish(image)
        client_node.own_executor.spin_once(timeout_sec=0.02)
        if len(arrays) == 5:
            break
    assert len(arrays) == 5, 'five images went through while the other configured'
    assert not pending.done()
    assert box.answer(pending).success


def test_a_misspelt_parameter_of_a_load_request_is_told(box, load_detector, log):
    load_detector('one', confidence_treshold=0.7)
    assert log.tells("'confidence_treshold', did you mean 'confidence_threshold'?")
    assert '[one]' in log.text
