"""What only a new process can mend: a task that never ends, a GPU that is lost."""

import os
from pathlib import Path
import re
import signal
import time

from dla_ros.ros.observer import Observer
from lifecycle_msgs.msg import TransitionEvent
import pytest
from vision_msgs.msg import Detection2DArray

PATIENCE_S = 20
STUCK = {'dla_emulator_options': 'stuck=submit:1', 'task_timeout_ms': 100}


def test_what_refuses_to_be_given_back_after_a_failure_is_not_in_the_way(
    open_process, client_node
):
    node = open_process(dla_emulator_options='fail=task:2,fail=unregister:1,fail=destroy:1')
    node.show(lambda: 'error processing failed' in node.log.read_text())
    assert node.lifecycle.state() == 'unconfigured'
    assert node.lifecycle.change('configure')
    assert node.interrupt() == 0


def open_files(node):
    return len(list(Path(f'/proc/{node.process.pid}/fd').iterdir()))


def shared_memory(node):
    """Give the files of DDS in which this process and its peers put messages."""
    maps = Path(f'/proc/{node.process.pid}/maps').read_text()
    return set(re.findall(r'/dev/shm/fast(?:dds|rtps)_[0-9a-f]{16}', maps))


def test_a_task_that_never_ends_is_left_behind_by_a_new_start(open_process, client_node):
    peers = set(map(str, Path('/dev/shm').iterdir()))
    node = open_process(**STUCK)
    observer = Observer(client_node, '/dla_detector')
    files, memory = open_files(node), shared_memory(node) - peers
    assert memory
    for _ in range(2):
        node.show(lambda: 'started anew after' in observer.message)
        assert 'no result after' in observer.message
        assert node.process.poll() is None, 'it is the same process to whoever watches it'
        node.lifecycle.wait(PATIENCE_S)
        assert node.lifecycle.state() == 'unconfigured'
        assert open_files(node) <= files, 'what was open is not handed on'
        assert not any(map(os.path.exists, memory)), 'nor is it left behind'
        observer.message, memory = '', shared_memory(node) - peers
    assert 'deactivate failed: started anew' not in node.log.read_text()
    assert node.log.read_text().count('starting the process anew (when_lost)') == 2
    assert node.lifecycle.change('configure')
    assert node.interrupt() == 0


@pytest.mark.parametrize('words', ['tasks never ended', 'starting the process anew'])
def test_a_signal_that_comes_with_the_loss_ends_the_process(open_process, client_node, words):
    node = open_process(**STUCK)
    node.show(lambda: words in node.log.read_text())
    while node.process.poll() is None:
        node.process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    assert node.process.wait() == 0
    assert 'Traceback' not in node.log.read_text()


def test_a_task_that_never_ends_ends_the_process_where_that_is_asked_for(
    open_process, client_node
):
    node = open_process(**STUCK, when_lost='exit')
    node.show(lambda: node.process.poll() is not None)
    assert node.process.wait() == 1
    text = node.log.read_text()
    assert 'tasks never ended' in text
    assert 'ending the process, exit code 1 (when_lost)' in text


def test_a_task_that_never_ends_leaves_the_process_alone_where_that_is_asked_for(
    open_process, client_node
):
    node = open_process(**STUCK, when_lost='stay')
    node.show(lambda: 'tasks never ended' in node.log.read_text())
    assert node.lifecycle.state() == 'unconfigured'
    assert node.interrupt() == 0
    assert '(when_lost)' not in node.log.read_text()


DYING = str(Path(__file__).with_name('node_on_a_dying_gpu.py'))


def test_a_lost_gpu_leads_through_on_error_and_the_node_is_configured_again(
    gpu, open_process, client_node
):
    node, states, arrays = open_process((DYING,), device='cuda'), [], []
    observer = Observer(client_node, '/dla_detector')
    topic = '/dla_detector/transition_event'
    client_node.create_subscription(
        TransitionEvent, topic, lambda event: states.append(event.goal_state.label), 100
    )
    client_node.create_subscription(Detection2DArray, 'detections', arrays.append, 100)
    for times in (1, 2, 3):
        node.show(lambda: 'started anew after' in observer.message)
        assert 'GPU context of this process is lost' in observer.message
        assert states[-4:] == ['errorprocessing', 'unconfigured', 'shuttingdown', 'finalized']
        assert len(arrays) == 2 * times, 'what was lost before is found again'
        assert node.lifecycle.state() == 'unconfigured'
        observer.message = ''
    assert node.lifecycle.change('configure')
    assert node.interrupt() == 0


def test_a_lost_gpu_is_told_by_configure_where_the_process_stays(gpu, open_process, client_node):
    node = open_process((DYING,), device='cuda', when_lost='stay')
    observer = Observer(client_node, '/dla_detector')
    node.show(lambda: node.lifecycle.state() == 'unconfigured')
    assert not node.lifecycle.change('configure')
    node.wait_for_words('configure failed: taking GPU 0: the GPU context of this process is lost')
    assert 'GPU context of this process is lost' in observer.message
    assert node.interrupt() == 0
