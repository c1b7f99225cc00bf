"""docs/api.md: its example runs, and it names everything that the package gives."""

from pathlib import Path
import re
import subprocess
import sys

import cv2
import dla_ros
from dla_ros.bags.read import read_images
from dla_ros.preprocess.bgr import to_bgr
import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / 'docs' / 'api.md').read_text()
CODE = re.findall(r'```python\n(.*?)```', TEXT, re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    """Give a folder with the model, its record, and a picture of a street."""
    for name in ('nanodet_g_416.onnx', 'nanodet_g_416.onnx.yaml'):
        (tmp_path / name).symlink_to(ROOT / 'models' / name)
    image = next(iter(read_images(ROOT / 'data' / 'pedestrians')))
    cv2.imwrite(str(tmp_path / 'street.png'), to_bgr(image.view))
    return tmp_path


def test_the_example_finds_people(folder):
    said = subprocess.run(
        [sys.executable, '-c', CODE[0]], cwd=folder, capture_output=True, text=True
    )
    assert said.stderr == ''
    assert re.search(r'^person 0\.\d\d \[', said.stdout, re.MULTILINE)


def test_the_example_has_ten_lines():
    assert len(CODE[0].splitlines()) <= 10


@pytest.mark.parametrize('name', dla_ros.__all__)
def test_every_name_is_on_the_page(name):
    assert re.search(rf'`{name}\b', TEXT)


def test_everything_of_a_detector_is_on_the_page():
    names = [name for name in vars(dla_ros.Detector) if not name.startswith('_')]
    names += list(dla_ros.Detections.__dataclass_fields__)
    absent = [name for name in names if not re.search(rf'\b{name}\b', TEXT)]
    assert absent == []
