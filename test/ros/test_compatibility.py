"""The policies by which a publisher is not heard are named, without an event of DDS."""

from dla_ros.ros.compatibility import meet, why_incompatible
import pytest
from rclpy.duration import Duration
from rclpy.qos import (
    qos_profile_sensor_data,
    qos_profile_system_default,
    QoSDurabilityPolicy,
    QoSLivelinessPolicy,
    QoSProfile,
    QoSReliabilityPolicy,
)

BEST_EFFORT = QoSProfile(depth=1, reliability=QoSReliabilityPolicy.BEST_EFFORT)
RELIABLE = QoSProfile(depth=1, reliability=QoSReliabilityPolicy.RELIABLE)
LATCHED = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)
AUTOMATIC = QoSProfile(depth=1, liveliness=QoSLivelinessPolicy.AUTOMATIC)
MANUAL = QoSProfile(depth=1, liveliness=QoSLivelinessPolicy.MANUAL_BY_TOPIC)
SLOW = QoSProfile(depth=1, deadline=Duration(seconds=2))
QUICK = QoSProfile(depth=1, deadline=Duration(seconds=1))


@pytest.mark.parametrize(
    ('publisher', 'subscription', 'policies'),
    [
        (BEST_EFFORT, RELIABLE, ('RELIABILITY',)),
        (RELIABLE, LATCHED, ('DURABILITY',)),
        (BEST_EFFORT, LATCHED, ('RELIABILITY', 'DURABILITY')),
        (AUTOMATIC, MANUAL, ('LIVELINESS',)),
        (SLOW, QUICK, ('DEADLINE',)),
        (RELIABLE, QUICK, ('DEADLINE',)),
    ],
)
def test_every_policy_that_is_in_the_way_is_named(publisher, subscription, policies):
    """A user who mends one should not meet the next afterwards."""
    assert why_incompatible(publisher, subscription) == policies
    assert not meet(publisher, subscription)


@pytest.mark.parametrize(
    ('publisher', 'subscription'),
    [
        (RELIABLE, BEST_EFFORT),
        (LATCHED, RELIABLE),
        (MANUAL, AUTOMATIC),
        (QUICK, SLOW),
        (BEST_EFFORT, qos_profile_sensor_data),
        (qos_profile_sensor_data, BEST_EFFORT),
    ],
)
def test_two_that_meet_have_nothing_in_the_way(publisher, subscription):
    """More than was asked for is fine."""
    assert why_incompatible(publisher, subscription) == ()
    assert meet(publisher, subscription)


def test_what_the_rmw_does_not_know_is_no_reason():
    """System defaults are only known to the middleware."""
    assert why_incompatible(qos_profile_system_default, RELIABLE) == ()
