"""Headers come back as they are, whatever stands in them."""

from builtin_interfaces.msg import Time
import pytest
from std_msgs.msg import Float64


@pytest.mark.parametrize('frame_id', ['', 'kamera_ü/前', 'x' * 1000])
def test_any_frame_id_comes_back_on_both_levels(open_rig, frame_id):
    rig = open_rig()
    rig.activate()
    image = rig.image()
    image.header.frame_id = frame_id
    array = rig.show(image)
    assert array.detections
    assert {array.header.frame_id} | {d.header.frame_id for d in array.detections} == {frame_id}


def test_stamps_may_go_backwards_as_a_bag_in_a_loop_does(open_rig):
    rig = open_rig()
    rig.activate()
    stamps = [Time(sec=sec, nanosec=5) for sec in (100, 101, 3, 4, 4, 0)]
    for stamp in stamps:
        image = rig.image()
        image.header.stamp = stamp
        rig.show(image)
    assert [array.header.stamp for array in rig.arrays] == stamps
    assert rig.counts.processed == len(stamps)


def test_a_stamp_before_1970_or_after_all_time_breaks_nothing(open_rig, client_node):
    rig = open_rig()
    rig.activate()
    ages = []
    topic = '/dla_detector/debug/pipeline_latency_ms'
    client_node.create_subscription(Float64, topic, ages.append, 10)
    assert rig.spin_until(lambda: rig.node.count_subscribers(topic))
    after_all_time, before_1970 = Time(sec=2**31 - 1, nanosec=2**32 - 1), Time(sec=-5, nanosec=7)
    for stamp in (after_all_time, before_1970):
        image = rig.image()
        image.header.stamp = stamp
        assert rig.show(image).header.stamp == stamp
    assert rig.spin_until(lambda: ages)
    assert [age.data > 0 for age in ages] == [True], 'an age below zero was published'
    assert rig.lifecycle.state() == 'active'
