"""bag_player and bag_recorder as processes, DDS between them."""

import os
from pathlib import Path
import signal
import subprocess
import sys

from dla_ros.bags.read import bag_topics, read_messages
from dla_ros.bags.write import BagWriter
import pytest

BAG = Path(__file__).resolve().parents[2] / 'data' / 'pedestrians'
TOPIC = '/camera/image_raw/compressed'
KIND = 'sensor_msgs/msg/CompressedImage'


def run(module, *arguments):
    command = [sys.executable, '-m', f'dla_ros.ros.{module}', *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def recorder(tmp_path):
    command = [sys.executable, '-m', 'dla_ros.ros.bag_recorder', str(tmp_path / 'bag'),
               f'{TOPIC}={KIND}']  # fmt: skip
    process = subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.wait()


def test_a_bag_is_played_and_recorded_byte_for_byte(recorder, tmp_path):
    played = run('bag_player', BAG, '--rate', '4', '--wait', '30')
    assert played.returncode == 0
    assert 'published 48 of 48' in played.stdout
    recorder.send_signal(signal.SIGINT)
    text, _ = recorder.communicate(timeout=30)
    assert recorder.returncode == 0
    assert f'{TOPIC}: 48 messages' in text
    assert bag_topics(tmp_path / 'bag')[0].type_name == KIND
    original = [message.data for message in read_messages(BAG)]
    assert [message.data for message in read_messages(tmp_path / 'bag')] == original


def test_a_folder_without_a_bag_is_told(tmp_path):
    done = run('bag_player', tmp_path)
    assert done.returncode == 1
    assert 'is no bag' in done.stderr
    assert 'Traceback' not in done.stderr


def test_a_topic_that_is_not_in_the_bag_is_told():
    done = run('bag_player', BAG, '--topics', '/no/such')
    assert done.returncode == 1
    assert '/no/such' in done.stderr


@pytest.mark.parametrize(
    'word',
    ['/image', '/image=Image', '/image=no_msgs/msg/Nothing', '/im age=sensor_msgs/msg/Image'],
)
def test_a_topic_that_cannot_be_recorded_is_told(tmp_path, word):
    done = run('bag_recorder', tmp_path / 'bag', word)
    assert done.returncode == 1
    assert 'bag_recorder: ' in done.stderr
    assert 'Traceback' not in done.stderr


def test_nobody_listening_is_said():
    done = run('bag_player', BAG, '--rate', '0', '--wait', '0.1')
    assert 'no subscriber' in done.stderr


def test_an_empty_bag_is_told(tmp_path):
    BagWriter.open(tmp_path / 'bag', {}).close()
    done = run('bag_player', tmp_path / 'bag')
    assert done.returncode == 1
    assert 'no message to play' in done.stderr
    assert 'Traceback' not in done.stderr


@pytest.mark.parametrize('rate', ['-1', 'nan', 'inf', 'fast'])
def test_a_speed_that_is_none_is_refused(rate):
    done = run('bag_player', BAG, f'--rate={rate}')
    assert done.returncode == 2
    assert '--rate' in done.stderr
    assert rate in done.stderr
