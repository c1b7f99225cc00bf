"""Cameras that are heard, and the one that is not: that must be said."""

import pytest
from rclpy.qos import qos_profile_sensor_data


@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_a_best_effort_camera_before_a_reliable_subscriber_is_told(open_rig, log, executor):
    rig = open_rig(executor=executor, input_qos='DEFAULT')
    rig.activate()
    client = rig.camera_not_heard(qos_profile_sensor_data)
    assert log.tells('input_qos: SENSOR_DATA'), log.text
    assert "a publisher of 'image' is not heard" in log.text
    assert 'RELIABILITY' in log.text
    client.publish(rig.image())
    assert rig.lifecycle.state() == 'active'
    assert rig.counts.received == 0


def test_a_camera_may_come_and_go(open_rig):
    rig = open_rig()
    rig.activate()
    for _ in range(2):
        assert rig.show(rig.image()).detections
        rig.remove_camera()
    assert rig.counts.processed == 2
