"""The executable as a process: signals in every state, exit code, what is left behind."""

from array import array
import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from dla_ros.ros.lifecycle_client import LifecycleClient
from dla_ros.ros.observer import Observer
from lifecycle_msgs.msg import TransitionEvent
import pytest
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

PATIENCE_S = 20  # so long may a loaded machine take; the node itself ends within 2 s


class NodeProcess:
    """A detector node in a process of its own, its output in a file."""

    def __init__(self, log: Path, parameters, client_node, program):
        self.log = log
        words = [word for pair in parameters.items() for word in ('-p', '{}:={}'.format(*pair))]
        command = [sys.executable, *program, '--ros-args', *words]
        with log.open('w') as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=file, env=os.environ)
        self.lifecycle = LifecycleClient(client_node, client_node.own_executor, '/dla_detector')
        self.lifecycle.wait(PATIENCE_S)

    def interrupt(self, number=signal.SIGINT, times=1):
        for _ in range(times):
            self.process.send_signal(number)
            time.sleep(0.02)
        return self.process.wait(PATIENCE_S)

    def wait_for_words(self, words):
        deadline = time.monotonic() + PATIENCE_S
        while words not in self.log.read_text():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def wait_for_values(self, client_node, wanted, act):
        """Act again and again, until the newest diagnostics hold these figures."""
        observer = Observer(client_node, '/dla_detector')
        deadline = time.monotonic() + PATIENCE_S
        while not wanted.items() <= observer.values.items():
            assert time.monotonic() < deadline, observer.values
            act()
            client_node.own_executor.spin_once(timeout_sec=0.05)


@pytest.fixture
def open_process(client_node, shapes, tmp_path):
    opened = []

    def make(program=('-m', 'dla_ros.ros.detector_main'), **parameters):
        parameters = {
            'engine_file_path': shapes / 'shapes.dla', 'dla_device': 'emulator', **parameters,
        }  # fmt: skip
        log = tmp_path / f'{len(opened)}.log'
        opened.append(NodeProcess(log, parameters, client_node, program))
        return opened[-1]

    yield make
    for node in opened:
        node.process.kill()
        node.process.wait()


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
    node.wait_for_values(client_node, {'in_flight': '1'}, lambda: camera.publish(image))
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
    ],
)
def test_a_wrong_parameter_at_start_is_said_by_configure(open_process, wrong, words):
    node = open_process(**wrong)
    assert not node.lifecycle.change('configure')
    node.wait_for_words(words)
    assert node.interrupt() == 0
    assert 'Traceback' not in node.log.read_text()


def test_without_a_dla_the_message_names_the_way_out(open_process):
    node = open_process(dla_device='hardware')
    assert not node.lifecycle.change('configure')
    node.wait_for_words('dla_device')
    node.wait_for_words('emulator')
    assert node.interrupt() == 0


def test_what_refuses_to_be_given_back_after_a_failure_is_not_in_the_way(
    open_process, client_node
):
    node = open_process(dla_emulator_options='fail=task:2,fail=unregister:1,fail=destroy:1')
    show(node, client_node, lambda: 'error processing failed' in node.log.read_text())
    assert node.lifecycle.state() == 'unconfigured'
    assert node.lifecycle.change('configure')
    assert node.interrupt() == 0


STUCK = str(Path(__file__).with_name('node_that_gets_stuck.py'))


def test_a_task_that_never_ends_ends_the_process_where_that_is_asked_for(
    open_process, client_node
):
    node = open_process((STUCK,), task_timeout_ms=100, exit_when_lost='true')
    show(node, client_node, lambda: node.process.poll() is not None)
    assert node.process.wait() == 1
    text = node.log.read_text()
    assert 'tasks never ended' in text
    assert 'ending the process (exit_when_lost)' in text


def test_a_task_that_never_ends_leaves_the_process_alone_otherwise(open_process, client_node):
    node = open_process((STUCK,), task_timeout_ms=100)
    show(node, client_node, lambda: 'tasks never ended' in node.log.read_text())
    assert node.lifecycle.state() == 'unconfigured'
    assert node.interrupt() == 0


def test_a_lost_gpu_leads_through_on_error_and_the_next_process_detects(
    gpu, open_process, client_node
):
    program = Path(__file__).with_name('node_on_a_dying_gpu.py')
    node, states, arrays = open_process((str(program),), device='cuda'), [], []
    observer = Observer(client_node, '/dla_detector')
    topic = '/dla_detector/transition_event'
    client_node.create_subscription(
        TransitionEvent, topic, lambda event: states.append(event.goal_state.label), 100
    )
    client_node.create_subscription(Detection2DArray, 'detections', arrays.append, 100)
    show(node, client_node, lambda: 'unconfigured' in states)
    assert states[-2:] == ['errorprocessing', 'unconfigured']
    assert len(arrays) == 2
    assert 'GPU context of this process is lost' in observer.message

    assert not node.lifecycle.change('configure')
    node.wait_for_words('configure failed: taking GPU 0: the GPU context of this process is lost')
    assert node.lifecycle.state() == 'unconfigured'
    assert node.interrupt() == 0
    again = open_process((str(program),), device='cuda', exit_when_lost='true')
    show(again, client_node, lambda: again.process.poll() is not None)
    assert again.process.wait() == 1
    assert len(arrays) == 4, 'a new process finds what there is to find'
    assert 'ending the process (exit_when_lost)' in again.log.read_text()


def show(node, client_node, is_over):
    """Configure, activate, and publish images until it is over."""
    assert node.lifecycle.change('configure')
    assert node.lifecycle.change('activate')
    camera = client_node.create_publisher(Image, 'image', 1)
    image = Image(height=48, width=48, encoding='mono8', step=48, data=array('B', bytes(48 * 48)))
    deadline = time.monotonic() + PATIENCE_S
    while not is_over():
        assert time.monotonic() < deadline, node.log.read_text()
        camera.publish(image)
        client_node.own_executor.spin_once(timeout_sec=0.05)
