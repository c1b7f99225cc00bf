"""Latencies that no clock can tell are left out, counted, and said once with the reason."""

from builtin_interfaces.msg import Time
import pytest
from rosgraph_msgs.msg import Clock
from std_msgs.msg import Float64

TOPIC = 'image topic status'
LATENCY = '/dla_detector/debug/pipeline_latency_ms'


@pytest.fixture
def ages(client_node):
    found = []
    client_node.create_subscription(Float64, LATENCY, lambda m: found.append(m.data), 100)
    return found


def show(rig, stamp):
    image = rig.image()
    image.header.stamp = stamp
    return rig.show(image)


def is_left_out(rig, ages, number, words, log):
    assert rig.tells('WARN', f"pipeline_latency_ms of 'image' is left out: {words}", TOPIC)
    assert rig.spin_until(lambda: rig.told.values(TOPIC)['latencies left out'] == str(number))
    assert log.tells(words)
    assert log.text.count(words) == 1
    assert min(ages, default=0) >= 0
    return True


def test_a_simulated_clock_that_never_comes(open_told_rig, ages, log):
    rig = open_told_rig(use_sim_time=True)
    rig.activate()
    for sec in (1700000000, 1700000001, 0):
        assert show(rig, Time(sec=sec)).detections
    assert is_left_out(rig, ages, 3, 'use_sim_time is set and nothing has come on /clock', log)
    assert not ages


def test_a_clock_that_is_set_back(open_told_rig, client_node, ages, log):
    rig = open_told_rig(use_sim_time=True)
    clock = client_node.create_publisher(Clock, '/clock', 10)
    rig.activate()
    assert rig.spin_until(lambda: rig.node.count_subscribers(LATENCY))

    def set_clock(second):
        clock.publish(Clock(clock=Time(sec=second)))
        return rig.node.get_clock().now().nanoseconds == second * 10**9

    assert rig.spin_until(lambda: set_clock(1000))
    show(rig, Time(sec=999))
    assert rig.spin_until(lambda: set_clock(900))
    show(rig, Time(sec=1000))
    assert is_left_out(rig, ages, 1, 'the clock was set back by 100.0 s', log)
    show(rig, Time(sec=899))
    assert rig.spin_until(lambda: len(ages) == 2)
    assert ages == [1000.0, 1000.0]


def test_images_without_a_stamp(open_told_rig, ages, log):
    rig = open_told_rig()
    rig.activate()
    show(rig, Time())
    assert is_left_out(rig, ages, 1, 'the images carry the stamp 0', log)
    assert not ages


def test_a_camera_whose_clock_is_ahead(open_told_rig, ages, log):
    rig = open_told_rig()
    rig.activate()
    now = rig.node.get_clock().now().nanoseconds // 10**9
    show(rig, Time(sec=now + 86400 * 5))
    words = "the images are stamped 5 days ahead of this node's clock; bring the camera's clock"
    assert is_left_out(rig, ages, 1, words, log)
    assert not ages


def test_recorded_images_are_no_trouble_and_their_age_is_no_latency(open_told_rig, log):
    rig = open_told_rig()
    rig.activate()
    show(rig, Time(sec=100))
    assert log.tells("pipeline_latency_ms of 'image' is no latency: the images were stamped ")
    assert rig.tells('OK', 'active: images come', TOPIC)
    assert 'pipeline latency p50 (ms)' not in rig.told.values(TOPIC)
    assert rig.told.values(TOPIC)['latencies left out'] == '0'
