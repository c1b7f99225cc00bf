"""The executable as a process: signals, exit code, what is left behind."""

from array import array
import signal
import time

from diagnostic_msgs.msg import DiagnosticArray
import pytest
from rclpy.parameter import Parameter
from sensor_msgs.msg import Image

PATIENCE_S = 20  # so long may a loaded machine take; the container itself ends within 2 s


@pytest.mark.parametrize(('number', 'times'), [(signal.SIGINT, 1), (signal.SIGTERM, 1),
                                               (signal.SIGINT, 2)])  # fmt: skip
def test_a_signal_ends_the_container_and_gives_every_device_back(
    open_process, program, shapes, number, times
):
    container = open_process('-c', program)
    container.load_active_detector('left', shapes / 'shapes.dla')
    container.load_active_detector('right', shapes / 'shapes.dla')
    assert container.interrupt(number, times) == 0
    text = container.log.read_text()
    assert 'left: 0 0 ()' in text
    assert 'Traceback' not in text


def test_a_signal_while_a_node_is_being_made_ends_the_container(open_process, client_node):
    container = open_process('-m', 'dla_ros.ros.container_main')
    container.start_loading('robot_parts', 'nodes.Slow')
    deadline = time.monotonic() + PATIENCE_S
    while 'slow' not in client_node.get_node_names():
        assert time.monotonic() < deadline
        client_node.own_executor.spin_once(timeout_sec=0.05)
    assert container.interrupt() == 0
    assert 'Traceback' not in container.log.read_text()


def test_a_signal_while_a_device_hangs_ends_the_container(
    open_process, shapes, client_node, wait_until
):
    container = open_process('-m', 'dla_ros.ros.container_main')
    container.load_active_detector('well', shapes / 'shapes.dla', image_topics=['/well/image'])
    container.load_active_detector(
        'stuck', shapes / 'shapes.dla',
        dla_emulator_options='hang=submit:1', task_timeout_ms=1_000_000,
    )  # fmt: skip
    camera = client_node.create_publisher(Image, 'image', 10)
    data = array('B', bytes(48 * 64))
    image = Image(height=48, width=64, encoding='mono8', step=64, data=data)
    counts = []
    client_node.create_subscription(DiagnosticArray, '/diagnostics', counts.append, 10)
    assert wait_until(lambda: camera.publish(image) or any(map(is_stuck, counts)))
    assert container.interrupt() == 0
    text = container.log.read_text()
    assert 'Traceback' not in text
    assert "unloaded '/well'" in text
    assert "unloaded '/stuck'" not in text


def is_stuck(message):
    values = {item.key: item.value for item in message.status[0].values}
    return 'stuck' in message.status[0].name and int(values.get('in_flight', 0)) > 0


def test_arguments_of_the_container_reach_a_node_only_if_asked_for(
    open_process, client_node, wait_until
):
    container = open_process(
        '-m', 'dla_ros.ros.container_main', '--ros-args', '-r', 'words:=/global/words'
    )  # fmt: skip
    forward = Parameter('forward_global_arguments', value=True).to_parameter_msg()
    for name, extra in (('own', []), ('shared', [forward])):
        future = container.start_loading('robot_parts', 'nodes.Plain', name, extra)
        assert wait_until(future.done)
        assert future.result().success, future.result().error_message
    assert wait_until(lambda: client_node.count_subscribers('/words') == 1)
    assert wait_until(lambda: client_node.count_subscribers('/global/words') == 1)


@pytest.mark.parametrize(
    ('wrong', 'words'),
    [
        ('executor:=turbo', "executor is 'turbo'; it must be one of 'auto', 'events'"),
        ('executor:=[1]', "executor is [1] (list); it must be one of 'auto', 'events'"),
        ('executor:=[]', 'executor is None (NoneType); it must be one of'),
        ('tune_malloc:=perhaps', "tune_malloc is 'perhaps' (str); it must be true or false"),
        ('use_sim_time:=3', 'use_sim_time is 3 (int); it must be true or false'),
        ('start_type_description_service:=no way', "service is 'no way' (str); it must be true"),
    ],
)
def test_a_wrong_parameter_of_the_container_is_told(open_process, client_node, wrong, words):
    container = open_process('-m', 'dla_ros.ros.container_main', '--ros-args', '-p', wrong)
    future = container.start_loading('robot_parts', 'nodes.Plain')
    client_node.own_executor.spin_until_future_complete(future, PATIENCE_S)
    assert future.result().success, future.result().error_message
    assert container.interrupt() == 0
    text = container.log.read_text()
    assert words in text
    assert 'its default stands in' in text
    assert 'Traceback' not in text
