"""The node under ``use_sim_time``: before the first /clock, and when a bag begins anew."""

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
import pytest
from rosgraph_msgs.msg import Clock


@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_detections_and_diagnostics_come_without_a_clock(open_rig, client_node, executor):
    rig = open_rig(executor=executor, use_sim_time=True, diagnostics_period=0.1)
    told = []
    client_node.create_subscription(DiagnosticArray, '/diagnostics', told.append, 10)
    rig.activate()
    assert rig.show(rig.image()).detections
    told.clear()
    assert rig.spin_until(lambda: len(told) > 2)
    assert told[-1].status[0].message.startswith('active on DLA core 0 (emulated)')
    assert told[-1].header.stamp == Time()


def test_diagnostics_go_on_when_the_clock_is_set_back(open_rig, client_node):
    rig = open_rig(use_sim_time=True, diagnostics_period=0.1)
    told = []
    client_node.create_subscription(DiagnosticArray, '/diagnostics', told.append, 10)
    clock = client_node.create_publisher(Clock, '/clock', 10)
    rig.activate()
    for second in (1000, 1001, 7):
        clock.publish(Clock(clock=Time(sec=second)))
        assert rig.spin_until(lambda s=second: told and told[-1].header.stamp.sec == s)
        assert rig.show(rig.image()).detections
