"""Words that no file, number or user can be: a sentence and exit code 1, never a traceback."""

import json
import os
import subprocess
import sys

from dla_ros.cli.main import main
from dla_ros.scene.null_network import build_null_network
import pytest

NAMES = [
    'x' * 256,
    'x' * 254,
    '~nosuchuser/x.yaml',
    'a\0b.yaml',
    '\ud800.yaml',
    '',
    '.',
    '/dev/zero',
]


@pytest.fixture
def say(tmp_path, monkeypatch, capsys):
    """Give a function: run words in an empty folder with a network, give what stands on stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'net.onnx').write_bytes(build_null_network((32, 48)))
    (tmp_path / 'net.onnx.yaml').write_text('head: {name: yolox}\n')
    os.mkfifo(tmp_path / 'pipe')

    def run(*words):
        assert main(words) == 1
        said = capsys.readouterr().err
        assert 'Traceback' not in said
        assert said.encode()
        return said

    return run


@pytest.mark.parametrize('name', [*NAMES, 'pipe'])
@pytest.mark.parametrize(
    'words',
    [
        ('inspect', '{}'),
        ('detect', '{}', 'picture.png'),
        ('detect', 'net.onnx', '{}'),
        ('detect', 'net.onnx', 'picture.png', '-p', 'label_path:={}'),
        ('emulate', '{}', '-o', 'out.dla'),
        ('robot', 'check', '{}'),
        ('robot', 'check', 'laptop', '--engine', './{}', '--here'),
    ],
)
def test_a_path_that_leads_to_no_file_is_refused(say, words, name):
    say(*(word.format(name) for word in words))


@pytest.mark.parametrize('name', ['x' * 256, 'a\0b', '\ud800', '/dev/full', 'pipe/x', '/proc/x/y'])
def test_a_path_that_cannot_be_written_is_refused(say, name):
    say('emulate', 'net.onnx', '-o', name)


@pytest.mark.parametrize('value', ['[' * 100_000, '9' * 5000, '-' + '9' * 400, 'NaN', '1e999'])
@pytest.mark.parametrize('name', ['dla_core', 'nms_threshold', 'image_mean', 'label_list'])
def test_a_value_beyond_measure_is_refused(say, name, value):
    said = say('detect', 'net.onnx', 'picture.png', '-p', f'{name}:={value}')
    assert name in said
    assert len(said) < 3000


@pytest.mark.parametrize('step', ['9' * 5000, '1e999', 'nan', '-1', '0', ''])
def test_a_step_that_is_none_is_refused(say, step):
    assert '--scale' in say('emulate', 'net.onnx', '-o', 'x.dla', '--scale', f'images={step}')


@pytest.mark.parametrize('name', [name for name in NAMES if name != '/dev/zero'])
def test_a_robot_file_that_names_no_file_is_refused(say, tmp_path, name):
    text = json.dumps({'detectors': {'front': {'engine': name}}})
    (tmp_path / 'mine.yaml').write_text(text)
    say('robot', 'check', 'mine.yaml')


def test_a_name_that_is_no_text_is_printed_all_the_same(tmp_path):
    path = tmp_path / 'mine\udcff.yaml'
    path.write_text('detectors: {front: {engine: /opt/net.dla}}')
    command = [sys.executable, '-m', 'dla_ros.cli.main', 'robot', 'check', os.fsencode(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, '')
    assert r'mine\udcff.yaml' in done.stdout
