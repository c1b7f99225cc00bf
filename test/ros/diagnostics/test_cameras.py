"""Cameras that bring nothing, too little, or what cannot be read: level, sentence, figures."""

from threading import Event

from builtin_interfaces.msg import Time
from dla_ros.ros.handover.publisher import HandoverPublisher
import pytest
from rclpy.parameter import Parameter
from sensor_msgs.msg import Image

QUICK = {'image_timeout_ms': 300}
TOPIC = 'image topic status'


def now(node):
    return node.get_clock().now().to_msg()


def test_a_node_that_works_says_ok_and_its_figures(open_told_rig):
    rig = open_told_rig()
    rig.activate()

    def show():
        image = rig.image()
        image.header.stamp = now(rig.node)
        rig.show(image)
        return 'rate in (Hz)' in rig.told.values(TOPIC)

    assert rig.tells('OK', 'active: waiting for the first image', TOPIC)
    assert rig.spin_until(show)
    assert rig.tells('OK', 'active: images come', TOPIC)
    assert rig.told.message() == 'active on DLA core 0 (emulated)'
    assert rig.told.statuses[TOPIC].hardware_id == 'image'
    assert rig.told.values(TOPIC).keys() >= {
        'publishers', 'rate in (Hz)', 'rate out (Hz)', 'loss (%)', 'age of last image (s)',
        'age of last detections (s)', 'processing time p50 (ms)', 'processing time p99 (ms)',
        'pipeline latency p50 (ms)', 'pipeline latency p99 (ms)', 'latencies left out',
        'lost in transport', 'received', 'processed', 'superseded', 'invalid', 'failed',
    }  # fmt: skip
    assert rig.told.values(TOPIC)['publishers'] == '/client'


def test_a_camera_that_never_comes_is_an_error(open_told_rig, log):
    rig = open_told_rig(**QUICK)
    rig.activate()
    assert rig.tells('ERROR', "nobody publishes '/image' (sensor_msgs/msg/Image); is the camera")
    assert rig.tells('ERROR', "no image of 'image' for ", TOPIC)
    assert log.tells("nobody publishes '/image'")


def test_where_such_images_are_is_said(open_told_rig, client_node):
    rig = open_told_rig(**QUICK)
    client_node.create_publisher(Image, '/rear/image_raw', 1)
    rig.activate()
    assert rig.tells('ERROR', "such images are on '/rear/image_raw'")


def test_a_publisher_that_fits_and_brings_nothing_is_an_error_with_likely_causes(
    open_told_rig, log
):
    rig = open_told_rig(**QUICK)
    rig.activate()
    rig.camera()
    words = 'though /client publishes it: it sends none, or it runs as another user, or in a '
    assert rig.tells('ERROR', words)
    assert rig.tells('ERROR', '/dev/shm', TOPIC)
    assert log.tells(words)


def test_a_camera_that_stops_is_an_error_until_it_goes_on(open_told_rig, log):
    rig = open_told_rig(**QUICK)
    rig.activate()
    rig.show(rig.image())
    assert rig.tells('ERROR', '/client is still there; it has stopped, or')
    assert log.tells('/client is still there; it has stopped, or')
    rig.show(rig.image())

    def images_come():
        rig.show(rig.image())
        return "images of 'image' come\n" in log.text

    assert rig.spin_until(images_come)
    assert rig.spin_until(lambda: rig.show(rig.image()) and rig.told.level() == 'OK')


def test_a_camera_that_goes_is_an_error(open_told_rig):
    rig = open_told_rig(**QUICK)
    rig.activate()
    rig.show(rig.image())
    rig.remove_camera()
    assert rig.tells('ERROR', "nobody publishes '/image'")


def test_a_camera_may_be_silent_where_nobody_waits_for_it(open_told_rig):
    rig = open_told_rig(image_timeout_ms=0)
    rig.activate()
    seen = rig.told.arrays
    assert rig.spin_until(lambda: rig.told.arrays > seen + 15)
    assert (rig.told.level(), rig.told.level(TOPIC)) == ('OK', 'OK')


def test_one_bad_image_warns_with_its_reason_until_it_is_long_past(open_told_rig, monkeypatch):
    monkeypatch.setattr('dla_ros.health.traffic.WINDOW_S', 1.0)
    rig = open_told_rig()
    rig.activate()
    rig.show(rig.image())
    rig.camera().publish(rig.image(encoding='mono8', step=1))
    assert rig.tells('WARN', "images of 'image' could not be read")
    assert rig.tells('WARN', 'step is 1', TOPIC), rig.told.message(TOPIC)
    assert rig.tells('OK', 'active on DLA core 0 (emulated)')
    assert rig.told.values(TOPIC)['invalid'] == '1'


def test_a_camera_of_which_nothing_can_be_read_is_an_error(open_told_rig):
    rig = open_told_rig()
    rig.activate()
    camera, bad = rig.camera(), rig.image(step=1)

    def show():
        camera.publish(bad)
        return rig.told.level() == 'ERROR'

    assert rig.spin_until(show)
    assert 'could not be read' in rig.told.message()


def test_a_slow_camera_warns_where_its_rate_is_known(open_told_rig):
    rig = open_told_rig(expected_rate=1000.0)
    rig.activate()
    assert rig.spin_until(lambda: rig.show(rig.image()) and rig.told.level(TOPIC) == 'WARN')
    assert 'Hz, not 1000 (expected_rate)' in rig.told.message(TOPIC)
    assert rig.told.values(TOPIC)['expected rate (Hz)'] == '1000'


def test_late_detections_warn_where_there_is_a_limit(open_told_rig):
    rig = open_told_rig(latency_limit_ms=20, dla_emulator_options='task_ms=40')
    rig.activate()
    assert rig.spin_until(lambda: rig.show(rig.image()) and rig.told.level(TOPIC) == 'WARN')
    assert 'ms, more than 20 (latency_limit_ms)' in rig.told.message(TOPIC)


@pytest.mark.parametrize(('burst', 'level'), [(7, 'WARN'), (30, 'ERROR')])
def test_lost_images_are_a_warning_or_an_error_by_their_share(
    open_told_rig, client_node, burst, level
):
    """A burst while the executor is held: all that its queue of five does not hold is lost."""
    rig = open_told_rig(input_qos_depth=5)
    camera = HandoverPublisher(client_node, Image, 'image', 5)
    rig.activate()
    held, may_go_on = Event(), Event()
    rig.node.executor.create_task(lambda: (held.set(), may_go_on.wait(20)))
    assert held.wait(20)
    for _ in range(burst):
        camera.publish(rig.image())
    may_go_on.set()
    lost = burst - 5
    words = f"% of the images of 'image' did not arrive ({lost} of {burst} in 10 s)"
    assert rig.tells(level, words, TOPIC), rig.told.message(TOPIC)
    assert rig.told.values(TOPIC)['lost in transport'] == str(lost)
    camera.close()


@pytest.mark.parametrize('name', ['detector', TOPIC])
def test_cameras_are_in_no_trouble_while_nobody_listens_to_them(open_told_rig, name):
    rig = open_told_rig(**QUICK)
    assert rig.tells('OK', 'unconfigured', name)
    assert rig.lifecycle.change('configure')
    assert rig.tells('OK', 'inactive', name)
    assert rig.lifecycle.change('activate')
    assert rig.tells('ERROR', 'no image', name)
    assert rig.lifecycle.change('deactivate')
    assert rig.tells('OK', 'inactive', name)
    assert rig.lifecycle.change('cleanup')
    assert rig.tells('OK', 'unconfigured', name)


def test_limits_change_while_the_node_is_active(open_told_rig):
    rig = open_told_rig(image_timeout_ms=0)
    rig.activate()
    (result,) = rig.node.set_parameters([Parameter('image_timeout_ms', value=300)])
    assert result.successful
    assert rig.tells('ERROR', 'no image')


def test_every_camera_has_a_status_and_the_worst_is_the_detectors(open_told_rig):
    rig = open_told_rig(image_topics=['front/image', 'rear/image'], image_timeout_ms=1500)
    rig.activate()

    def show():
        image = rig.image()
        image.header.stamp = Time(sec=1)
        rig.camera('front/image').publish(image)
        return rig.told.level() == 'ERROR'

    assert rig.spin_until(show)
    assert "no image of 'rear/image'" in rig.told.message()
    assert rig.told.level('front/image topic status') == 'OK'
    assert rig.told.level('rear/image topic status') == 'ERROR'
