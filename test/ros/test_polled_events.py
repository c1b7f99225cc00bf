"""QoS events reach their callbacks, and no executor ever holds one of them."""

from dla_ros.ros.executors import open_executor
from dla_ros.ros.handover.subscription import HandoverSubscription
from dla_ros.ros.polled_events import PolledEvents
import pytest
import rclpy
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.qos import qos_profile_sensor_data
from std_msgs.msg import String

RELIABLE = 10


@pytest.fixture(params=['events', 'single', 'multi'])
def run(request, ros_context):
    """Give a function that spins a node with each executor until something holds."""
    executors = []

    def until(node, is_over):
        if not executors:
            executors.append(open_executor(request.param))
            executors[0].add_node(node)
        for _ in range(300):
            if is_over():
                return True
            executors[0].spin_once(timeout_sec=0.05)
        return False

    yield until
    for executor in executors:
        executor.shutdown()


def listen(node, **callbacks):
    return node.create_subscription(
        String, 'words', print, RELIABLE, event_callbacks=SubscriptionEventCallbacks(**callbacks)
    )


@pytest.fixture
def open_camera(ros_context):
    """Give a function that opens a publisher of another node, best effort."""
    node = rclpy.create_node('camera')

    def make():
        return node, node.create_publisher(String, 'words', qos_profile_sensor_data)

    yield make
    node.destroy_node()


def test_an_event_is_told_without_the_executor_holding_it(run, open_camera):
    node, events = PolledEvents('taker'), []
    listen(node, incompatible_qos=events.append)
    open_camera()
    assert not list(node.waitables)
    assert run(node, lambda: events)
    assert events[0].total_count_change == 1
    node.destroy_node()


def test_many_events_are_told_as_one_with_their_count(run, open_camera):
    node, events = PolledEvents('taker'), []
    listen(node, incompatible_qos=events.append)
    for _ in range(5):
        camera, publisher = open_camera()
        assert run(node, lambda: node.count_publishers('words') == 1)
        camera.destroy_publisher(publisher)
        assert run(node, lambda: node.count_publishers('words') == 0)
    assert run(node, lambda: sum(event.total_count_change for event in events) == 5)
    assert len(events) <= 5
    node.destroy_node()


def test_the_warnings_of_rclpy_itself_come_as_ever(run, open_camera, log):
    node = PolledEvents('taker')
    listen(node)
    open_camera()
    assert run(node, lambda: "words', offering incompatible QoS" in log.text)
    node.destroy_node()


def test_a_callback_that_raises_keeps_no_other_from_being_told(run, open_camera, log):
    node, events = PolledEvents('taker'), []
    listen(node, incompatible_qos=lambda event: 1 // 0)
    listen(node, incompatible_qos=events.append)
    open_camera()
    assert run(node, lambda: events)
    assert 'an event callback failed' in log.text
    assert 'ZeroDivisionError' in log.text
    node.destroy_node()


def test_a_coroutine_may_be_a_callback(run, open_camera):
    node, events = PolledEvents('taker'), []

    async def on_event(event):
        events.append(event)

    listen(node, incompatible_qos=on_event)
    open_camera()
    assert run(node, lambda: events)
    node.destroy_node()


def test_a_publisher_is_told_too(run, ros_context):
    node, events = PolledEvents('giver'), []
    node.create_publisher(
        String, 'words', qos_profile_sensor_data,
        event_callbacks=PublisherEventCallbacks(incompatible_qos=events.append),
    )  # fmt: skip
    other = rclpy.create_node('other')
    listen(other)
    assert not list(node.waitables)
    assert run(node, lambda: events)
    for each in (node, other):
        each.destroy_node()


def test_a_handover_subscription_of_any_node_has_no_events_to_hold(ros_context):
    node = rclpy.create_node('plain')
    before = list(node.waitables)
    subscription = HandoverSubscription(node, String, 'words', print, RELIABLE)
    assert list(node.waitables) == before
    subscription.close()
    node.destroy_node()


def test_no_executor_holds_an_event_of_a_detector_that_is_active(open_rig):
    rig = open_rig()
    rig.activate()
    assert len(list(rig.node.publishers)) > 5
    assert not list(rig.node.waitables)
