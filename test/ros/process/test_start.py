"""How an executable starts: its command line, its surroundings, a signal in the middle."""

import os
from pathlib import Path
import signal
import subprocess
import sys

import pytest

EXECUTABLES = {
    'detector_node': 'detector_main',
    'component_container': 'container_main',
    'bag_player': 'bag_player_main',
    'bag_recorder': 'bag_recorder_main',
    'bring_up': 'bring_up_main',
}
# what each needs so that it gets as far as ROS
WORDS = {
    'bag_player': [str(Path(__file__).resolve().parents[3] / 'data' / 'pedestrians')],
    'bag_recorder': ['bag', '/image=sensor_msgs/msg/Image'],
    'bring_up': ['/nobody', '--wait-s', '0.1'],
}
PATIENCE_S = 60


def run(executable, *words, cwd=None, **environment):
    command = [sys.executable, '-m', f'dla_ros.ros.{EXECUTABLES[executable]}', *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, cwd=cwd,
        env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize('executable', EXECUTABLES)
def test_help_is_printed_and_nothing_started(executable):
    done = run(executable, '--help')
    assert (done.returncode, done.stderr) == (0, '')
    assert done.stdout.startswith(f'usage: {executable}')
    assert '--ros-args' in done.stdout


@pytest.mark.parametrize('executable', EXECUTABLES)
def test_words_that_are_nobodys_are_refused(executable):
    done = run(executable, *WORDS.get(executable, []), '--bogus', '--ros-args', '-p', 'a:=1')
    assert done.returncode == 2
    assert f'{executable}: error: unrecognized arguments: --bogus' in done.stderr


WRONG = {
    ('--banana',): "ROS knows no argument ['--banana']",
    ('-p', 'slots'): "parameter override rule: '-p slots'",
    ('-p', 'slots:=[1, a]'): 'write NAME:=VALUE, as -p slots:=2',
    ('-p',): 'write NAME:=VALUE',
    ('-p', 'slots:=\udcff'): "an argument is no UTF-8: 'slots:=\\udcff'",
    ('-r', 'image'): 'write FROM:=TO, as -r image:=/camera/image_raw',
    ('-r', '__node:=my node'): 'write FROM:=TO',
    ('--params-file', '/no/such.yaml'): "'--params-file /no/such.yaml'",
    ('--params-file', __file__): 'give a YAML file',
    ('--log-level', 'loud'): 'a level is debug, info, warn, error or fatal',
    ('--enclave', 'front'): 'a right one is /front',
}


@pytest.mark.parametrize('words', WRONG, ids=' '.join)
def test_arguments_that_ros_does_not_take_are_told_in_a_sentence(words):
    done = run('detector_node', '--ros-args', *words)
    assert done.returncode == 1
    assert 'Traceback' not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith('detector_node: ')
    assert WRONG[words] in last
    assert '.c:' not in last


@pytest.mark.parametrize('executable', EXECUTABLES)
def test_every_executable_tells_so(executable, tmp_path):
    words = [*WORDS.get(executable, []), '--ros-args', '--log-level', 'loud']
    done = run(executable, *words, cwd=tmp_path)
    assert (done.returncode, 'Traceback' in done.stderr) == (1, False)
    assert done.stderr.splitlines()[-1].startswith(f'{executable}: ')


def test_a_domain_that_cannot_be_is_told_in_a_sentence():
    done = run('detector_node', ROS_DOMAIN_ID='banana')
    assert (done.returncode, 'Traceback' in done.stderr) == (1, False)
    assert 'set it to a whole number from 0 to 101' in done.stderr


# ── a signal in the middle ───────────────────────────────────────────────────────────────────

# Send a signal to itself where a module is imported: where that is on its way does not depend on
# how fast the machine is.
AT_IMPORT = """
import os, sys
module, wanted, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
class Here:
    def find_spec(self, name, path, target=None):
        if name == wanted:
            os.kill(os.getpid(), number)
sys.meta_path.insert(0, Here())
sys.argv[1:] = sys.argv[4:]
import importlib
sys.exit(importlib.import_module(module).main())
"""
MOMENTS = {
    'detector_node': (
        'dla_ros.ros.executable', 'numpy', 'numpy.linalg', 'cv2', 'rclpy', 'rclpy.node',
        'sensor_msgs.msg', 'dla_ros.detector', 'dla_ros.ros.process',
        'rclpy.experimental.events_executor',
    ),
    'component_container': ('composition_interfaces.srv', 'rclpy.experimental.events_executor'),
    'bag_player': ('rclpy', 'dla_ros.bags.read', 'rosbags.rosbag2', 'sensor_msgs.msg'),
    'bag_recorder': ('rclpy', 'rosbags.rosbag2', 'rclpy.experimental.events_executor'),
    'bring_up': ('rclpy', 'rclpy.executors', 'dla_ros.ros.bring_up', 'lifecycle_msgs.srv'),
}  # fmt: skip


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ('executable', 'moment'), [(name, each) for name, some in MOMENTS.items() for each in some]
)
def test_a_signal_while_it_starts_ends_it_with_exit_code_0(executable, moment, number, tmp_path):
    command = [sys.executable, '-c', AT_IMPORT, f'dla_ros.ros.{EXECUTABLES[executable]}', moment]
    command += [str(number.value), *WORDS.get(executable, [])]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, cwd=tmp_path
    )
    assert (done.returncode, 'Traceback' in done.stderr) == (0, False), done.stderr


# ── surroundings ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize('closed', ['>&-', '2>&-', '<&- >&- 2>&-'])
@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_a_node_lives_without_standard_output_and_error(open_process, tmp_path, closed, executor):
    program = tmp_path / 'start.py'
    program.write_text(CLOSING.format(closed=closed))
    node = open_process((str(program),), executor=executor)
    assert node.lifecycle.change('configure')
    assert node.interrupt() == 0


def end_unheard(stdout):
    """Play a bag for nobody, quickly; give exit code and errors."""
    command = [sys.executable, '-m', 'dla_ros.ros.bag_player_main', *WORDS['bag_player'], '--rate',
               '0']  # fmt: skip
    done = subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE_S
    )
    return done.returncode, done.stderr


def test_a_full_disk_behind_standard_output_is_told():
    with Path('/dev/full').open('w') as full:
        code, said = end_unheard(full)
    assert (code, said.splitlines()[-1]) == (1, 'bag_player: No space left on device')
    assert 'Traceback' not in said


def test_nobody_who_reads_standard_output_is_no_traceback():
    reading, writing = os.pipe()
    os.close(reading)
    code, said = end_unheard(writing)
    os.close(writing)
    assert (code, 'Error' in said) == (1, False), said


CLOSING = """
import os, sys
words = [sys.executable, '-m', 'dla_ros.ros.detector_main', *sys.argv[1:]]
os.execv('/bin/sh', ['sh', '-c', 'exec "$0" "$@" {closed}', *words])
"""
# a user whom the system does not know, as docker run --user 1234 makes
NOBODY = """
import pwd, sys
def unknown(_):
    raise KeyError('no such user')
pwd.getpwuid = unknown
from dla_ros.ros.detector_main import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    'environment',
    [
        {'ROS_LOG_DIR': '/proc/no/log'},
        {'ROS_HOME': '/dev/null/ros'},
        {'HOME': None},
        {'HOME': '/proc/no'},
    ],
    ids=str,
)
def test_a_node_lives_without_a_log_file_and_says_so(open_process, monkeypatch, environment):
    for name, value in environment.items():
        monkeypatch.delenv(name) if value is None else monkeypatch.setenv(name, value)
    node = open_process(('-c', NOBODY))
    node.wait_for_words('no log file is written')
    node.wait_for_words('Set ROS_LOG_DIR to a folder that can be written')
    assert node.interrupt() == 0
    assert 'Traceback' not in node.log.read_text()


@pytest.mark.parametrize(
    'environment',
    [{'XDG_CACHE_HOME': '/proc/no'}, {'HOME': None, 'XDG_CACHE_HOME': None}],
    ids=str,
)
def test_a_cache_that_cannot_be_written_is_told_by_configure(
    open_process, monkeypatch, environment
):
    for name, value in environment.items():
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(
            name, value
        )
    node = open_process(('-c', NOBODY))
    assert not node.lifecycle.change('configure')
    node.wait_for_words('set XDG_CACHE_HOME to a')
    assert node.lifecycle.state() == 'unconfigured'
    assert node.interrupt() == 0
    assert 'Traceback' not in node.log.read_text()


@pytest.mark.parametrize('way', ['command line', 'file'])
def test_a_misspelt_parameter_is_told_in_the_log(open_process, tmp_path, way):
    file = tmp_path / 'mine.yaml'
    file.write_text('/dla_detector:\n  ros__parameters:\n    confidence_treshold: 0.7\n')
    words = ['-p', 'confidence_treshold:=0.7'] if way == 'command line' else [
        '--params-file', str(file)
    ]  # fmt: skip
    node = open_process(('-m', 'dla_ros.ros.detector_main', '--ros-args', *words))
    node.wait_for_words("'confidence_treshold', did you mean 'confidence_threshold'?")
    assert node.interrupt() == 0
    assert node.log.read_text().count('unknown parameter') == 1
