"""Messages given from node to node in one process, beside real DDS."""

import threading

from dla_ros.ros.handover.publisher import HandoverPublisher
from dla_ros.ros.handover.subscription import HandoverSubscription
from dla_ros.ros.handover.switchboard import SWITCHBOARD
import pytest
import rclpy
from rclpy.qos import (
    qos_profile_sensor_data,
    QoSDurabilityPolicy,
    QoSHistoryPolicy,
    QoSProfile,
)
from std_msgs.msg import String

LATCHED = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)
ALL = QoSProfile(history=QoSHistoryPolicy.KEEP_ALL)


class Pair:
    """A node that gives, a node that takes, and what was taken."""

    def __init__(self, spinning):
        self.giver, self.taker = rclpy.create_node('giver'), rclpy.create_node('taker')
        spinning(self.giver)
        spinning(self.taker)
        self.taken, self.threads = [], set()
        self.come = threading.Condition()

    def publisher(self, topic='words', qos=10):
        return HandoverPublisher(self.giver, String, topic, qos)

    def subscription(self, topic='words', qos=10):
        return HandoverSubscription(self.taker, String, topic, self.take, qos)

    def take(self, message):
        with self.come:
            self.taken.append(message)
            self.threads.add(threading.current_thread())
            self.come.notify_all()

    def wait(self, number):
        with self.come:
            return self.come.wait_for(lambda: len(self.taken) >= number, 10)

    @property
    def data(self):
        return [message.data for message in self.taken]


@pytest.fixture
def pair(spinning):
    made = Pair(spinning)
    yield made
    for node in (made.giver, made.taker):
        SWITCHBOARD.close_all(node)


def test_a_message_is_handed_over_as_it_is(pair):
    subscription, publisher = pair.subscription(), pair.publisher()
    message = String(data='hello')
    publisher.publish(message)
    assert pair.wait(1)
    assert pair.taken[0] is message
    assert subscription.is_handed
    assert publisher.get_subscription_count() == 1


def test_the_order_of_opening_does_not_matter(pair):
    publisher, subscription = pair.publisher(), pair.subscription()
    assert subscription.is_handed
    publisher.publish(String(data='x'))
    assert pair.wait(1)


def test_nothing_goes_over_dds_while_nobody_outside_listens(pair, client_node):
    pair.subscription()
    publisher = pair.publisher()
    assert spun(client_node, lambda: publisher.publisher.get_subscription_count() == 0)
    sent = []
    publisher.publisher.publish = sent.append
    publisher.publish(String(data='x'))
    assert pair.wait(1)
    assert sent == []


def test_who_listens_outside_gets_messages_over_dds_and_neighbours_only_once(pair, client_node):
    pair.subscription()
    publisher = pair.publisher()
    outside = []
    client_node.create_subscription(String, 'words', outside.append, 10)
    assert spun(client_node, lambda: publisher.publisher.get_subscription_count() == 1)
    assert publisher.get_subscription_count() == 2
    for number in range(5):
        publisher.publish(String(data=str(number)))
    assert spun(client_node, lambda: len(outside) == 5)
    assert pair.wait(5)
    assert pair.data == [message.data for message in outside] == list('01234')


def test_a_publisher_outside_is_heard_until_one_inside_takes_its_place(pair, client_node):
    subscription = pair.subscription()
    outside = client_node.create_publisher(String, 'words', 10)
    assert spun(client_node, lambda: outside.get_subscription_count() == 1)
    outside.publish(String(data='from far'))
    assert pair.wait(1)
    assert not subscription.is_handed
    inside = pair.publisher()
    assert spun(client_node, lambda: outside.get_subscription_count() == 0)
    inside.publish(String(data='from near'))
    assert pair.wait(2)
    inside.close()
    assert spun(client_node, lambda: outside.get_subscription_count() == 1)
    outside.publish(String(data='from far again'))
    assert pair.wait(3)
    assert pair.data == ['from far', 'from near', 'from far again']


def test_several_publishers_and_subscriptions_all_meet(pair):
    subscriptions = [pair.subscription(), pair.subscription()]
    first, second = pair.publisher(), pair.publisher()
    first.publish(String(data='a'))
    second.publish(String(data='b'))
    assert pair.wait(4)
    assert sorted(pair.data) == ['a', 'a', 'b', 'b']
    first.close()
    assert all(each.is_handed for each in subscriptions)


def test_the_callback_runs_in_the_executor_of_the_taker(pair):
    pair.subscription()
    publisher = pair.publisher()
    for number in range(3):
        publisher.publish(String(data=str(number)))
    assert pair.wait(1)
    assert len(pair.threads) == 1
    assert threading.current_thread() not in pair.threads


def test_the_newest_messages_win_and_the_others_are_counted(pair):
    gate, entered = threading.Event(), threading.Event()

    def busy():
        entered.set()
        gate.wait(10)

    subscription = pair.subscription(qos=2)
    publisher = pair.publisher()
    pair.taker.executor.create_task(busy)
    assert entered.wait(10)
    for number in range(9):
        publisher.publish(String(data=str(number)))
    gate.set()
    assert pair.wait(2)
    assert pair.data == ['7', '8']
    assert subscription.dropped == 7


def test_keep_all_keeps_all(pair):
    pair.subscription(qos=ALL)
    publisher = pair.publisher(qos=ALL)
    for number in range(50):
        publisher.publish(String(data=str(number)))
    assert pair.wait(50)
    assert pair.data == [str(number) for number in range(50)]


@pytest.mark.parametrize(
    'given', [{'qos': qos_profile_sensor_data}, {'topic': 'other'}],
    ids=['best effort for reliable', 'another topic'],
)  # fmt: skip
def test_who_would_not_meet_in_dds_does_not_meet_here(pair, given):
    subscription, publisher = pair.subscription(), pair.publisher(**given)
    assert not subscription.is_handed
    publisher.publish(String())
    assert publisher.get_subscription_count() == 0
    assert pair.taken == []


def test_latched_topics_stay_with_dds(pair):
    publisher = pair.publisher(qos=LATCHED)
    publisher.publish(String(data='before'))
    subscription = pair.subscription(qos=LATCHED)
    assert not subscription.is_handed
    assert pair.wait(1)
    assert pair.data == ['before']


def test_names_are_compared_after_remapping(spinning, ros_context):
    node = rclpy.create_node('far', namespace='/left', cli_args=['--ros-args', '-r', 'image:=/up'])
    spinning(node)
    publisher = HandoverPublisher(node, String, 'image', 10)
    subscription = HandoverSubscription(node, String, '/up', lambda _: None, 10)
    assert subscription.is_handed
    assert publisher.topic_name == subscription.topic_name == '/up'
    SWITCHBOARD.close_all(node)


def test_a_closed_subscription_gets_nothing_more(pair):
    subscription, publisher = pair.subscription(), pair.publisher()
    subscription.close()
    subscription.close()
    publisher.publish(String(data='x'))
    assert publisher.get_subscription_count() == 0
    pair.taker.executor.create_task(pair.take, String(data='end'))
    assert pair.wait(1)
    assert pair.data == ['end']


def test_a_message_that_waited_when_its_subscription_was_closed_is_not_delivered(pair):
    gate, entered = threading.Event(), threading.Event()
    subscription, publisher = pair.subscription(), pair.publisher()
    pair.taker.executor.create_task(lambda: (entered.set(), gate.wait(10)))
    assert entered.wait(10)
    publisher.publish(String(data='late'))
    subscription.close()
    gate.set()
    pair.taker.executor.create_task(pair.take, String(data='end'))
    assert pair.wait(1)
    assert pair.data == ['end']


def test_a_message_for_a_node_that_is_not_spun_yet_waits(pair, spinning):
    late = rclpy.create_node('late')
    HandoverSubscription(late, String, 'words', pair.take, 2)
    publisher = pair.publisher()
    publisher.publish(String(data='a'))
    spinning(late)
    publisher.publish(String(data='b'))
    assert pair.wait(2)
    assert pair.data == ['a', 'b']
    SWITCHBOARD.close_all(late)


def test_a_node_that_forgot_to_close_is_closed(pair):
    subscription, publisher = pair.subscription(), pair.publisher()
    SWITCHBOARD.close_all(pair.giver)
    assert not subscription.is_handed
    assert publisher.publisher not in list(pair.giver.publishers)
    publisher.close()


def spun(node, is_over, tries=200):
    for _ in range(tries):
        if is_over():
            return True
        node.own_executor.spin_once(timeout_sec=0.05)
    return False
