"""bag_player and bag_recorder as processes, DDS between them."""

import os
from pathlib import Path
import signal
import subprocess
import sys
from threading import Thread
import time
from types import SimpleNamespace

from dla_ros.bags.read import bag_topics, read_messages
from dla_ros.bags.write import BagWriter
from dla_ros.ros.bag_player import BagPlayer, DEPTH, SETTLE_S
from dla_ros.ros.bag_recorder import definitions_of, Recorder
from dla_ros.ros.executors import open_executor
import pytest
from rclpy.duration import Duration
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import CompressedImage

BAG = Path(__file__).resolve().parents[2] / 'data' / 'pedestrians'
TOPIC = '/camera/image_raw/compressed'
KIND = 'sensor_msgs/msg/CompressedImage'


def run(module, *arguments):
    command = [sys.executable, '-m', f'dla_ros.ros.{module}', *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def recorder(tmp_path):
    command = [sys.executable, '-m', 'dla_ros.ros.bag_recorder_main', str(tmp_path / 'bag'),
               f'{TOPIC}={KIND}']  # fmt: skip
    process = subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.wait()


def test_a_bag_is_played_and_recorded_byte_for_byte(recorder, tmp_path):
    played = run('bag_player_main', BAG, '--rate', '4', '--wait', '30')
    assert played.returncode == 0
    assert 'published 48 of 48' in played.stdout
    recorder.send_signal(signal.SIGINT)
    text, _ = recorder.communicate(timeout=30)
    assert recorder.returncode == 0
    assert f'{TOPIC}: 48 messages' in text
    assert bag_topics(tmp_path / 'bag')[0].type_name == KIND
    original = [message.data for message in read_messages(BAG)]
    assert [message.data for message in read_messages(tmp_path / 'bag')] == original


@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_what_has_arrived_when_the_signal_comes_is_recorded(tmp_path, client_node, executor):
    with BagWriter.open(tmp_path / 'bag', definitions_of([KIND])) as writer:
        recorder = Recorder(client_node, writer)
        recorder.record(TOPIC, KIND)
        camera = client_node.create_publisher(CompressedImage, TOPIC, 20)
        executor = open_executor(executor)
        client_node.own_executor.remove_node(client_node)
        executor.add_node(client_node)
        while not camera.get_subscription_count():
            executor.spin_once(timeout_sec=0.1)
        for number in range(20):
            camera.publish(CompressedImage(format=str(number)))
        assert camera.wait_for_all_acked(Duration(seconds=20))
        recorder.drain(executor)
        executor.remove_node(client_node)
    assert recorder.counts == {TOPIC: 20}
    assert bag_topics(tmp_path / 'bag')[0].message_count == 20


class Signals:
    """Stand for a process that no signal reaches."""

    is_asked = False


@pytest.fixture
def player(client_node):
    player = BagPlayer(client_node, rate=0)
    player.announce({TOPIC: KIND})
    return player


def play_until_stalled(player, stop):
    """Give the thread that plays, once it has filled DDS's history and waits."""
    thread = Thread(target=player.play, args=(list(read_messages(BAG)), stop))
    thread.start()
    while player.published < DEPTH:
        assert thread.is_alive()
    return thread


def test_a_recorder_that_stalls_misses_nothing(recorder, player):
    assert player.wait_for_subscribers(Signals, 30)
    recorder.send_signal(signal.SIGSTOP)
    thread = play_until_stalled(player, Signals())
    recorder.send_signal(signal.SIGCONT)
    thread.join(30)
    player.finish(Signals)
    recorder.send_signal(signal.SIGINT)
    assert f'{TOPIC}: 48 messages' in recorder.communicate(timeout=30)[0]


def test_a_recorder_that_stalls_for_ever_is_told_of(recorder, player, monkeypatch, log):
    monkeypatch.setattr('dla_ros.ros.bag_player._PATIENCE_S', 0.1)
    assert player.wait_for_subscribers(Signals, 30)
    recorder.send_signal(signal.SIGSTOP)
    player.play(list(read_messages(BAG)), Signals)
    player.finish(Signals)
    assert player.published == 48
    assert log.text.count(f"a subscriber of '{TOPIC}' has taken nothing for") == 1


def test_a_bag_is_read_as_it_is_played_and_never_held_whole(player):
    read = []

    def messages():
        for message in read_messages(BAG):
            read.append(message.stamp_ns)
            assert len(read) == player.published + 1
            yield message

    player.play(messages(), Signals)
    assert player.published == len(read) == 48


def test_a_signal_ends_the_waiting_for_a_recorder_that_stalls(recorder, player):
    stop = Signals()
    assert player.wait_for_subscribers(stop, 30)
    recorder.send_signal(signal.SIGSTOP)
    thread = play_until_stalled(player, stop)
    stop.is_asked = True
    thread.join(30)
    player.finish(stop)
    assert player.published <= DEPTH + 1


@pytest.mark.parametrize(('qos', 'pauses'), [(qos_profile_sensor_data, 1), (10, 0)])
def test_a_subscriber_that_cannot_ask_again_is_given_time(
    player, client_node, monkeypatch, qos, pauses
):
    slept = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=slept.append)
    monkeypatch.setattr('dla_ros.ros.bag_player.time', clock)
    client_node.create_subscription(CompressedImage, TOPIC, print, qos)
    assert player.wait_for_subscribers(Signals, 30)
    assert slept.count(SETTLE_S) == pauses


def test_a_folder_without_a_bag_is_told(tmp_path):
    done = run('bag_player_main', tmp_path)
    assert done.returncode == 1
    assert 'is no bag' in done.stderr
    assert 'Traceback' not in done.stderr


def test_a_topic_that_is_not_in_the_bag_is_told():
    done = run('bag_player_main', BAG, '--topics', '/no/such')
    assert done.returncode == 1
    assert '/no/such' in done.stderr


@pytest.mark.parametrize(
    'word',
    ['/image', '/image=Image', '/image=no_msgs/msg/Nothing', '/im age=sensor_msgs/msg/Image'],
)
def test_a_topic_that_cannot_be_recorded_is_told(tmp_path, word):
    done = run('bag_recorder_main', tmp_path / 'bag', word)
    assert done.returncode == 1
    assert 'bag_recorder: ' in done.stderr
    assert 'Traceback' not in done.stderr


def test_nobody_listening_is_said():
    done = run('bag_player_main', BAG, '--rate', '0', '--wait', '0.1')
    assert 'no subscriber' in done.stderr


def test_an_empty_bag_is_told(tmp_path):
    BagWriter.open(tmp_path / 'bag', {}).close()
    done = run('bag_player_main', tmp_path / 'bag')
    assert done.returncode == 1
    assert 'no message to play' in done.stderr
    assert 'Traceback' not in done.stderr


@pytest.mark.parametrize('rate', ['-1', 'nan', 'inf', 'fast'])
def test_a_speed_that_is_none_is_refused(rate):
    done = run('bag_player_main', BAG, f'--rate={rate}')
    assert done.returncode == 2
    assert '--rate' in done.stderr
    assert rate in done.stderr
