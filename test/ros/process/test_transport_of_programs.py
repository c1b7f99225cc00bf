"""Programs of this package, started from a shell that knows nothing of Fast DDS."""

from array import array
import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from dla_ros.bags.write import BagWriter
from dla_ros.ros.middleware import prepare
import pytest
from rclpy.serialization import serialize_message
from sensor_msgs.msg import Image

PATIENCE_S = 20
COUNT = 20
TOPIC = '/camera/image_raw'
KIND = 'sensor_msgs/msg/Image'
VARIABLES = ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE')
MEGABYTE = 1_000_000
LARGE = 16 * MEGABYTE  # the least of our profiles; where /dev/shm has room it is 128 MiB


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for name in (*VARIABLES, 'FASTDDS_BUILTIN_TRANSPORTS', 'DLA_ROS_TRANSPORT'):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope='session')
def bag(tmp_path_factory):
    """Give a bag of 1080p images, ten in a second."""
    path = tmp_path_factory.mktemp('raw') / 'bag'
    image = Image(height=1080, width=1920, encoding='rgb8', step=5760)
    image.data = array('B', bytes(1080 * 5760))
    with BagWriter.open(path) as writer:
        for number in range(COUNT):
            writer.write(TOPIC, KIND, serialize_message(image), number * 10**8)
    return path


def segments(process):
    """Give the sizes of the shared memory that a process holds a lock for, by file."""
    folder = f'/proc/{process.pid}/fd'
    files = filter(None, (target(f'{folder}/{name}') for name in os.listdir(folder)))
    found = [Path(file.removesuffix('_el')) for file in files if file.endswith('_el')]
    return {path: path.stat().st_size for path in found if path.exists() and is_segment(path)}


def target(link):
    try:
        return os.readlink(link)
    except OSError:
        return None  # closed meanwhile


def is_segment(path):
    return path.name.startswith('fast') and 'port' not in path.name


def test_every_raw_1080p_image_of_a_bag_reaches_the_detector(open_process, bag):
    node = open_process(image_topics=f'[{TOPIC}]', input_qos_depth=COUNT)
    assert node.lifecycle.change('configure')
    assert node.lifecycle.change('activate')
    command = [sys.executable, '-m', 'dla_ros.ros.bag_player_main', bag, '--wait', str(PATIENCE_S)]
    assert subprocess.run(command, check=False, timeout=60).returncode == 0
    node.wait_for_values({'received': str(COUNT)}, lambda: None)


@pytest.fixture
def start(tmp_path):
    """Give a function that starts a program, its output in a file."""
    running = []

    def act(name, *words):
        log = tmp_path / f'{name}{len(running)}.log'
        command = [sys.executable, '-m', f'dla_ros.ros.{name}_main', *map(str, words)]
        with log.open('w') as file:
            process = subprocess.Popen(command, stdout=file, stderr=file)
        process.log = log
        running.append(process)
        return process

    yield act
    for process in running:
        process.kill()
        process.wait()


def named(name):
    """Give a container a name of its own: of two with one name the newer one ends."""
    return ['--ros-args', '-r', f'__node:={name}']


def wait_for(process, words):
    deadline = time.monotonic() + PATIENCE_S
    while words not in process.log.read_text():
        assert time.monotonic() < deadline, process.log.read_text()
        time.sleep(0.05)


def wait_for_segment(process, least=0.5 * MEGABYTE):
    """Give a segment of a process, and its size, once it has one of ``least`` bytes."""
    deadline = time.monotonic() + PATIENCE_S
    while not (found := [each for each in segments(process).items() if each[1] >= least]):
        assert time.monotonic() < deadline, process.log.read_text()
        time.sleep(0.05)
    return found[0]


@pytest.mark.parametrize(
    ('name', 'words'),
    [
        ('detector', []),
        ('container', []),
        ('bag_recorder', ['{folder}/out', f'{TOPIC}={KIND}']),
        ('bag_player', ['{bag}', '--wait', '20']),
    ],
)
def test_a_program_takes_the_profile_and_says_so(start, bag, tmp_path, name, words):
    process = start(name, *(word.format(folder=tmp_path, bag=bag) for word in words))
    wait_for(process, 'MB of shared memory for images')
    assert wait_for_segment(process, LARGE)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 0


def test_the_switch_leaves_fast_dds_as_it_is(start, monkeypatch):
    monkeypatch.setenv('DLA_ROS_TRANSPORT', 'stock')
    process = start('container')
    wait_for(process, 'transport: stock settings, as DLA_ROS_TRANSPORT=stock says')
    wait_for_segment(process)
    assert max(segments(process).values()) < MEGABYTE


def test_what_a_killed_program_left_goes_when_the_next_one_starts(start):
    killed = start('container')
    segment, _ = wait_for_segment(killed, LARGE)
    killed.kill()
    killed.wait()
    wait_for_segment(start('container'))
    assert not segment.exists()


def test_what_a_living_program_holds_stays_when_others_start(start):
    living = start('container')
    segment, _ = wait_for_segment(living, LARGE)
    others = [start('container', *named(f'other{number}')) for number in range(4)]
    held = [segment, *(wait_for_segment(other)[0] for other in others)]
    assert all(path.exists() for path in held)


def test_images_pass_while_others_start_and_are_killed(start, bag, tmp_path):
    recorder = start('bag_recorder', tmp_path / 'out', f'{TOPIC}={KIND}')
    wait_for_segment(recorder, LARGE)
    player = start('bag_player', bag, '--wait', PATIENCE_S)
    wait_for_segment(player, LARGE)
    for _ in range(2):
        others = [start('container', *named(f'other{number}')) for number in range(2)]
        for other in others:
            wait_for_segment(other)
            other.kill()
            other.wait()
    assert player.wait(60) == 0
    recorder.send_signal(signal.SIGINT)
    assert recorder.wait(PATIENCE_S) == 0
    assert f'{TOPIC}: {COUNT} messages' in recorder.log.read_text()


@pytest.fixture
def environment():
    """Put back what ``prepare`` sets."""
    before = dict(os.environ)
    yield os.environ
    os.environ.clear()
    os.environ.update(before)


def test_what_was_removed_is_said(tmp_path, environment, log):
    (tmp_path / 'fastdds_0123456789abcdef').write_bytes(bytes(2 * MEGABYTE))
    (tmp_path / 'fastdds_0123456789abcdef_el').touch()
    (tmp_path / 'fastrtps_0123456789abcdef').mkdir()  # which nobody can unlink
    (tmp_path / 'fastrtps_0123456789abcdef_el').touch()
    prepare('rmw_fastrtps_cpp', tmp_path)()
    assert 'removed 1 segment (2 MB) that dead processes had left' in log.text
    assert '1 segment (0 MB) of dead processes could not be removed' in log.text
    assert any(name in environment for name in VARIABLES)


def test_what_others_left_is_said(tmp_path, environment, log, monkeypatch):
    (tmp_path / 'fastdds_0123456789abcdef_el').touch()
    monkeypatch.setattr(os, 'geteuid', lambda: os.getuid() + 1)
    prepare('rmw_fastrtps_cpp', tmp_path)()
    assert 'dead processes of other users have left 1 segment' in log.text


def test_another_middleware_is_left_alone(tmp_path, environment, log):
    (tmp_path / 'fastdds_0123456789abcdef_el').touch()
    before = dict(environment)
    prepare('rmw_cyclonedds_cpp', tmp_path)()
    assert dict(environment) == before
    assert 'transport' not in log.text
    assert (tmp_path / 'fastdds_0123456789abcdef_el').exists()
