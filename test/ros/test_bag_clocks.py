"""Bags and clocks that were set, or never came."""

from threading import Thread

from dla_ros.bags.read import BagMessage, read_messages
from dla_ros.bags.write import BagWriter
from dla_ros.ros.bag_player import BagPlayer
from dla_ros.ros.bag_recorder import definitions_of, Recorder
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String

KIND = 'std_msgs/msg/String'
YEAR_NS = 365 * 86400 * 10**9


class Signal:
    """Stand for a signal that may come."""

    is_asked = False


def test_a_signal_ends_the_wait_in_a_bag_whose_clock_was_set(client_node, log):
    player = BagPlayer(client_node, rate=1.0)
    player.announce({'/said': KIND})
    data = serialize_message(String(data='now'))
    messages = [BagMessage('/said', KIND, stamp_ns, data) for stamp_ns in (0, 56 * YEAR_NS)]
    stop = Signal()
    thread = Thread(target=player.play, args=(messages, stop), daemon=True)
    thread.start()
    assert log.tells('nothing is played for 1766016000 s: the bag has a gap there, or its clock')
    stop.is_asked = True
    thread.join(20)
    assert not thread.is_alive()
    assert player.published == 1


@pytest.fixture
def simulated(ros_context):
    node = rclpy.create_node(
        'recorder', parameter_overrides=[Parameter('use_sim_time', value=True)]
    )
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    node.spin_until = lambda is_over: next(
        (True for _ in range(1000) if executor.spin_once(timeout_sec=0.05) or is_over()), False
    )
    yield node
    executor.shutdown()
    node.destroy_node()


def test_messages_recorded_before_a_simulated_clock_comes_are_counted_and_said_once(
    simulated, tmp_path, log
):
    clock = simulated.create_publisher(Clock, '/clock', 10)
    camera = simulated.create_publisher(String, '/said', 10)
    with BagWriter.open(tmp_path / 'bag', definitions_of([KIND])) as writer:
        recorder = Recorder(simulated, writer)
        recorder.record('/said', KIND)
        for number in (1, 2):
            camera.publish(String(data=str(number)))
            assert simulated.spin_until(lambda n=number: recorder.counts['/said'] == n)
        message = Clock()
        message.clock.sec = 1000
        clock.publish(message)
        assert simulated.spin_until(lambda: simulated.get_clock().now().nanoseconds)
        camera.publish(String(data='3'))
        assert simulated.spin_until(lambda: recorder.counts['/said'] == 3)
    assert recorder.unstamped == 2
    assert log.text.count('messages are recorded with the time 0') == 1
    stamps = [message.stamp_ns for message in read_messages(tmp_path / 'bag')]
    assert stamps == [0, 0, 1000 * 10**9]
