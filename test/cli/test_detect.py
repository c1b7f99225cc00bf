import json
import subprocess
import sys

import cv2
from dla_ros.cli.main import main
from dla_ros.detector import Detector
from dla_ros.emulator.build import emulate
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.scene import Scene
import numpy as np
import pytest

NETWORK = (232, 320)
EMULATED = ('-p', 'dla_device:=emulator')


@pytest.fixture(scope='module')
def shapes(tmp_path_factory):
    """Give a folder with the shape detector as shapes.dla, and a picture of shapes beside it."""
    folder = tmp_path_factory.mktemp('shapes')
    write_shape_detector(folder / 'shapes.onnx', NETWORK, stride=8)
    emulate(folder / 'shapes.onnx', folder / 'shapes.dla')
    picture, _ = Scene.open(7, NETWORK, cell=8).frame(0)
    cv2.imwrite(str(folder / 'shapes.png'), picture[..., ::-1])
    return folder


@pytest.fixture
def detect(shapes, monkeypatch, capsys):
    """Give a function: run the verb in that folder, give exit code, output and complaint."""
    monkeypatch.chdir(shapes)

    def run(*words):
        code = main(['detect', *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_each_picture_gets_a_line_and_a_drawing(detect, shapes, tmp_path):
    code, out, _ = detect('shapes.dla', 'shapes.png', '--draw', tmp_path / 'drawn', *EMULATED)
    assert code == 0
    line = json.loads(out)
    truth = Scene.open(7, NETWORK, cell=8).truth(0)
    found = sorted(box['xyxy'] for box in line['detections'])
    np.testing.assert_allclose(found, sorted(truth.xyxy.tolist()), atol=0.05)
    assert line['picture'] == 'shapes.png'
    drawn = cv2.imread(str(tmp_path / 'drawn' / 'shapes.png'))
    assert (drawn != cv2.imread('shapes.png')).any()


def test_an_onnx_model_and_its_loadable_find_the_same(detect):
    lines = [
        json.loads(detect(engine, 'shapes.png', *EMULATED)[1])
        for engine in ('shapes.onnx', 'shapes.dla')
    ]
    assert [len(line['detections']) for line in lines] == [len(lines[0]['detections'])] * 2


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (('no.dla', 'shapes.png'), "cannot read the engine 'no.dla'"),
        (('shapes.dla', 'no.png', *EMULATED), "picture 'no.png' cannot be read"),
        (('shapes.dla', 'shapes.onnx', *EMULATED), "picture 'shapes.onnx': "),
        (('shapes.dla', 'shapes.png', *EMULATED, '--draw', 'shapes.png'), 'cannot be written'),
        (('shapes.dla', 'shapes.png', *EMULATED, '-p', 'speed:=9'), 'speed:=9'),
        (('shapes.dla', 'shapes.png', *EMULATED, '-p', 'slots:=99'), 'from 1 to 8'),
        (('shapes.dla', 'shapes.png'), 'set dla_device: emulator'),
        (
            ('shapes.dla', 'shapes.png', *EMULATED, '-p', 'dla_emulator_options:=fail=task:1'),
            'DLA_INVALID_INPUT',
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(detect, words, said):
    code, _, complaint = detect(*words)
    assert code == 1
    assert complaint.startswith('dla_ros detect: ')
    assert said in complaint
    assert complaint.count('\n') == 1


def test_a_bad_picture_does_not_keep_the_others(detect):
    code, out, complaint = detect('shapes.dla', 'no.png', 'shapes.png', *EMULATED)
    assert code == 1
    assert json.loads(out)['picture'] == 'shapes.png'
    assert 'no.png' in complaint


def test_no_picture_is_lost_when_tasks_take_longer_than_a_drain_waits(detect, monkeypatch):
    monkeypatch.setattr(Detector, 'drain', lambda self, timeout_s=0.0: False)
    pictures = 5 * ['shapes.png']
    slow = ('-p', 'dla_emulator_options:=task_ms=50')
    code, out, complaint = detect('shapes.dla', *pictures, *EMULATED, *slow)
    assert (code, complaint) == (0, '')
    assert len(out.splitlines()) == len(pictures)


def test_a_line_comes_for_every_picture_in_their_order(detect, shapes):
    words = ['shapes.png', 'no.png', 'shapes.png', './shapes.png', 'shapes.dla', 'shapes.png']
    code, out, complaint = detect('shapes.dla', *words, *EMULATED)
    told = [json.loads(line)['picture'] for line in out.splitlines()]
    assert told == ['shapes.png', 'shapes.png', 'shapes.png', 'shapes.png']
    assert code == 1
    assert "'no.png'" in complaint
    assert "'shapes.dla'" in complaint


def test_a_task_that_hangs_is_told_behind_what_came_before_it(detect, shapes):
    hung = ('-p', 'dla_emulator_options:=hang=submit:2', '-p', 'task_timeout_ms:=300')
    code, out, complaint = detect('shapes.dla', *3 * ['shapes.png'], *EMULATED, *hung)
    assert code == 1
    assert len(out.splitlines()) == 1
    assert 'no result after' in complaint or 'DLA_ENGINE_TIMEOUT' in complaint


# send itself the signal where the verb begins to work
INTERRUPTED = """
import os, signal, sys
from dla_ros.cli import detect, main
detect.run = lambda options: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main.main(['detect', 'no.dla', 'no.png']))
"""


def test_an_interrupt_is_no_traceback():
    done = subprocess.run(
        [sys.executable, '-c', INTERRUPTED], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, '')
