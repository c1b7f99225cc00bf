"""The executable as a process: signals in every state, exit code, what is left behind."""

from array import array
import signal
import time

import pytest
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import SetParameters
from sensor_msgs.msg import Image

PATIENCE_S = 20  # so long may a loaded machine take; the node itself ends within 2 s


STEPS = {
    'unconfigured': (),
    'inactive': ('configure',),
    'active': ('configure', 'activate'),
    'finalized': ('shutdown',),
}


@pytest.mark.parametrize('state', STEPS)
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_process_with_exit_code_0(open_process, state, number):
    node = open_process()
    for transition in STEPS[state]:
        assert node.lifecycle.change(transition)
    assert node.lifecycle.state() == state
    assert node.interrupt(number) == 0
    text = node.log.read_text()
    assert 'Traceback' not in text
    if state in {'inactive', 'active'}:
        assert 'released' in text


def test_two_interrupts_change_nothing(open_process):
    node = open_process()
    node.lifecycle.change('configure')
    node.lifecycle.change('activate')
    assert node.interrupt(times=2) == 0
    assert 'Traceback' not in node.log.read_text()


def test_an_interrupt_in_the_middle_of_a_configure_ends_the_process(open_process, client_node):
    from lifecycle_msgs.srv import ChangeState

    node = open_process(dla_emulator_options='delay=load:600000')
    change = client_node.create_client(ChangeState, '/dla_detector/change_state')
    request = ChangeState.Request()
    request.transition.label = 'configure'
    change.call_async(request)
    deadline = time.monotonic() + PATIENCE_S
    while node.lifecycle.state() != 'configuring':
        assert time.monotonic() < deadline
    assert node.interrupt() == 0
    assert 'a transition still runs' in node.log.read_text()


@pytest.mark.parametrize('options', ['hang=submit:1', 'task_ms=600000'])
def test_an_interrupt_while_a_task_hangs_ends_the_process(open_process, client_node, options):
    node = open_process(dla_emulator_options=options, task_timeout_ms=1_000_000, slots=1)
    assert node.lifecycle.change('configure')
    assert node.lifecycle.change('activate')
    camera = client_node.create_publisher(Image, 'image', 10)
    deadline = time.monotonic() + PATIENCE_S
    while not camera.get_subscription_count():
        assert time.monotonic() < deadline
    data = array('B', bytes(48 * 48))
    image = Image(height=48, width=48, encoding='mono8', step=48, data=data)
    node.wait_for_values({'in_flight': '1'}, lambda: camera.publish(image))
    assert node.interrupt() == 0
    text = node.log.read_text()
    assert 'the shutdown still runs' in text
    assert 'Traceback' not in text


def test_a_node_started_again_after_a_crash_is_reached(open_process):
    for _ in range(2):
        node = open_process()
        assert node.lifecycle.change('configure')
        node.process.kill()
        node.process.wait()
    again = open_process()
    assert again.lifecycle.state() == 'unconfigured'
    assert again.interrupt() == 0


def test_malloc_is_tuned_and_said(open_process):
    node = open_process()
    node.wait_for_words('malloc keeps image memory')
    other = open_process(tune_malloc='false')
    other.interrupt()
    assert 'malloc' not in other.log.read_text()


@pytest.mark.parametrize(
    ('wrong', 'words'),
    [
        ({'dla_core': 99}, 'whole number from 0 to 15'),
        ({'executor': 'banana'}, "'events', 'single'; start the node again with it"),
        ({'diagnostics_period': 0}, 'from 0.1 to 60.0; start the node again with it'),
        ({'tune_malloc': 'perhaps'}, 'true or false; start the node again with it'),
        ({'diagnostics_period': -1}, 'from 0.1 to 60.0; start the node again with it'),
        ({'diagnostics_period': '[1.0]'}, 'from 0.1 to 60.0; start the node again with it'),
        ({'diagnostics_period': '.nan'}, 'from 0.1 to 60.0; start the node again with it'),
        ({'executor': '[]'}, "'events', 'single'; start the node again with it"),
        ({'use_sim_time': 'banana'}, "use_sim_time is 'banana' (str); it must be true or false"),
        ({'engine_file_path': '[]'}, 'engine_file_path is None (NoneType); it must be a string'),
    ],
)
def test_a_wrong_parameter_at_start_is_said_by_configure(open_process, wrong, words):
    node = open_process(**wrong)
    assert not node.lifecycle.change('configure')
    node.wait_for_words(words)
    assert node.interrupt() == 0
    assert 'Traceback' not in node.log.read_text()


def test_a_value_of_a_type_that_there_is_not_leaves_the_node_alive(open_process, client_node):
    node = open_process()
    client = client_node.create_client(SetParameters, '/dla_detector/set_parameters')
    assert client.wait_for_service(PATIENCE_S)
    odd = Parameter(name='slots', value=ParameterValue(type=77))
    client.call_async(SetParameters.Request(parameters=[odd]))
    node.wait_for_words('a callback failed')
    assert node.lifecycle.state() == 'unconfigured'
    assert node.lifecycle.change('configure')
    assert node.interrupt() == 0


def test_without_a_dla_the_message_names_the_way_out(open_process):
    node = open_process(dla_device='hardware')
    assert not node.lifecycle.change('configure')
    node.wait_for_words('dla_device')
    node.wait_for_words('emulator')
    assert node.interrupt() == 0
