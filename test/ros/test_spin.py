"""Spinning goes on whatever happens to the entities meanwhile."""

import time

import pytest
import rclpy
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image


@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_events_of_a_destroyed_subscription_do_not_end_it(spinning, client_node, executor):
    node = rclpy.create_node('watched')
    spinner = spinning(node, executor=executor)
    client_node.create_publisher(Image, 'image', qos_profile_sensor_data)
    events = []
    callbacks = SubscriptionEventCallbacks(
        matched=events.append, incompatible_qos=events.append, message_lost=events.append
    )
    for number in range(400):
        subscription = node.create_subscription(
            Image, 'image', lambda image: None, 10, event_callbacks=callbacks
        )
        time.sleep(0.0002 * (number % 20))  # the events come when they come
        node.destroy_subscription(subscription)
    assert events
    assert spinner.is_spinning
    node.destroy_node()
