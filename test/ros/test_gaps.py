"""Counting what never came, by number, and over real DDS while nobody takes what comes."""

import threading
import time

from dla_ros.ros.executors import open_executor
from dla_ros.ros.gaps import Gaps
from dla_ros.ros.handover.subscription import HandoverSubscription
import pytest
import rclpy
from rclpy.qos import QoSProfile
from std_msgs.msg import String


def info(number, publisher=None):
    gid = None if publisher is None else {'data': publisher}
    return {'publication_sequence_number': number, 'publisher_gid': gid}


def missed(*infos, publishers=1):
    gaps = Gaps(lambda: publishers)
    for each in infos:
        gaps.see(each)
    return gaps.missed


def test_what_lies_between_was_missed():
    assert missed(info(7), info(8), info(9)) == 0, 'what was sent before is not ours'
    assert missed(info(7), info(9), info(13)) == 4


def test_a_publisher_that_starts_again_has_lost_nothing():
    assert missed(info(7), info(1), info(2)) == 0


def test_publishers_are_told_apart_by_their_ids():
    assert missed(info(1, b'a'), info(50, b'b'), info(3, b'a'), info(51, b'b')) == 1


def test_without_ids_two_publishers_are_not_guessed_about():
    assert missed(info(1), info(50), info(2), info(51), publishers=2) == 0


def test_jazzy_has_no_ids_at_all():
    assert missed({'publication_sequence_number': 1}, {'publication_sequence_number': 3}) == 1


def test_without_numbers_nothing_is_counted():
    gaps = Gaps(lambda: 1)
    assert gaps.is_numbered is None
    for _ in range(2):
        gaps.see(info(None))
    assert gaps.missed == 0
    assert gaps.is_numbered is False


def test_cameras_that_restart_for_ever_take_no_memory():
    gaps = Gaps(lambda: 1)
    for number in range(1000):
        gaps.see(info(5, str(number).encode()))
    assert len(gaps._last) == 64
    assert gaps.missed == 0


@pytest.mark.parametrize('name', ['events', 'single'])
def test_what_is_overtaken_in_the_queue_is_missed(ros_context, name):
    node, camera = rclpy.create_node('taker'), rclpy.create_node('camera')
    executor, taken = open_executor(name), []
    subscription = HandoverSubscription(node, String, 'words', taken.append, QoSProfile(depth=2))
    executor.add_node(node)
    publisher = camera.create_publisher(String, 'words', 10)
    spin(executor, publisher.get_subscription_count)
    send(publisher, 'first')
    spin(executor, lambda: taken)
    send(publisher, *'abcdef')
    spin(executor, lambda: len(taken) == 3)
    assert [message.data for message in taken] == ['first', 'e', 'f']
    assert subscription.missed == 4
    subscription.close()
    executor.shutdown()


def send(publisher, *words):
    for word in words:
        publisher.publish(String(data=word))


def spin(executor, is_over):
    for _ in range(200):
        if is_over():
            return
        executor.spin_once(timeout_sec=0.05)
    raise AssertionError('it did not come')


def test_a_detector_accounts_for_every_image_of_a_camera_while_it_is_kept_from_taking(open_rig):
    rig = open_rig(input_qos='DEFAULT', input_qos_depth=3)
    rig.activate()
    camera = rig.camera()
    assert rig.spin_until(lambda: rig.show(rig.image()) and rig.counts.processed)
    sent_before = rig.counts.received
    rest = threading.Event()
    rig.node.executor.create_task(rest.wait)
    for number in range(9):
        camera.publish(rig.image(number))
    time.sleep(0.5)
    rest.set()
    (topic,) = rig.node._cameras.values()
    assert rig.spin_until(lambda: rig.counts.received + topic.lost == sent_before + 9)
    assert 0 < topic.lost <= 6
