"""The example of an engine of another package: installed, it runs what ONNX Runtime runs."""

import json
import os
from pathlib import Path
import shutil
import subprocess
import sys

import cv2
from dla_ros.bags.read import read_images
from dla_ros.preprocess.bgr import to_bgr
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / 'examples' / 'dla_opencv'
MODEL = 'nanodet_g_416.onnx'
INPUT = json.dumps({'input': [1, 3, 416, 416]})


@pytest.fixture(scope='module')
def installed(tmp_path_factory):
    """Install the example, offline and without a trace in the checkout; give the folder."""
    folder, target = tmp_path_factory.mktemp('source'), tmp_path_factory.mktemp('target')
    source = shutil.copytree(EXAMPLE, folder / 'dla_opencv')
    commands = ['egg_info', '--egg-base', str(target), 'build_py', '--build-lib', str(target)]
    subprocess.run([sys.executable, 'setup.py', '-q', *commands], cwd=source, check=True)
    return target


@pytest.fixture(scope='module')
def street(tmp_path_factory):
    """Give a folder with NanoDet, a model that is cut off, and a picture of a street."""
    folder = tmp_path_factory.mktemp('street')
    for name in (MODEL, f'{MODEL}.yaml'):
        (folder / name).symlink_to(ROOT / 'models' / name)
    image = next(iter(read_images(ROOT / 'data' / 'pedestrians')))
    cv2.imwrite(str(folder / 'street.png'), to_bgr(image.view))
    (folder / 'cut.onnx').write_bytes((ROOT / 'models' / MODEL).read_bytes()[:-40])
    shutil.copy(ROOT / 'models' / f'{MODEL}.yaml', folder / 'cut.onnx.yaml')
    return folder


@pytest.fixture
def detect(installed, street):
    """Give a function: run dla_ros detect where the example is installed."""

    def run(engine, **parameters):
        pairs = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
        path = os.pathsep.join(filter(None, [str(installed), os.environ.get('PYTHONPATH')]))
        return subprocess.run(
            [sys.executable, '-m', 'dla_ros.cli.main', 'detect', engine, 'street.png', *pairs],
            cwd=street, env={**os.environ, 'PYTHONPATH': path}, capture_output=True, text=True,
        )  # fmt: skip

    return run


def rows_of(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)['detections']


def test_it_finds_what_onnx_runtime_finds(detect):
    found = rows_of(detect(MODEL, backend='opencv', engine_options=INPUT))
    wanted = rows_of(detect(MODEL))
    assert [row['label'] for row in found] == [row['label'] for row in wanted] != []
    np.testing.assert_allclose(
        [row['xyxy'] for row in found], [row['xyxy'] for row in wanted], atol=0.05
    )


@pytest.mark.parametrize(
    ('engine', 'parameters', 'words'),
    [
        (MODEL, {'backend': 'opencv'}, 'needs its option input'),
        ('cut.onnx', {'backend': 'opencv', 'engine_options': INPUT}, 'cut.onnx'),
        (MODEL, {'backend': 'opencv', 'engine_options': '{'}, 'is not JSON'),
        (MODEL, {'backend': 'opencv', 'device': 'cuda'}, "but engine 'opencv'"),
        (MODEL, {'engine_options': INPUT}, 'onnx is no engine of another package'),
        (MODEL, {'backend': 'openvino'}, "'cudla', 'onnx', or a name that a package"),
    ],
)
def test_what_cannot_be_is_one_sentence(detect, engine, parameters, words):
    done = detect(engine, **parameters)
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stderr.startswith('dla_ros detect: ')
    assert 'Traceback' not in done.stderr
