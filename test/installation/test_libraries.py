"""A library that is missing: what is said, wherever it is missed."""

from importlib import import_module
import os
from pathlib import Path
import re
import subprocess
import sys
import sysconfig

from dla_ros.installation.libraries import LIBRARIES, why_missing, why_not_imported
import pytest

ROOT = Path(__file__).resolve().parents[2]
SETUP = (ROOT / 'setup.py').read_text()
MODEL = str(ROOT / 'models/nanodet_g_416.onnx')
PICTURE = str(ROOT / 'docs/contact_sheet.jpg')
# Words of dla_ros, and the libraries without which they cannot be done.
NEEDS = [
    (['robot', 'list'], ['yaml', 'numpy']),
    (['emulate', MODEL, '-o', 'x.dla'], ['onnx', 'onnxruntime', 'flatbuffers', 'cv2', 'yaml']),
    (['detect', 'net.dla', PICTURE, '-p', 'dla_device:=emulator'], ['onnxruntime', 'cuda', 'cv2']),
    (['detect', MODEL, PICTURE], ['onnxruntime', 'cv2']),
    (['inspect', 'net.dla'], ['rich']),
    (['robot', 'check', 'laptop', '--here'], ['onnx', 'onnxruntime', 'cuda', 'flatbuffers']),
]
WITHOUT = """
import sys
sys.modules[sys.argv.pop(1)] = None
from dla_ros.cli.main import main
sys.exit(main())
"""


@pytest.fixture(scope='module')
def place(tmp_path_factory):
    """Give a folder with a loadable, which a library may be missing for."""
    folder = tmp_path_factory.mktemp('place')
    from dla_ros.emulator.build import emulate
    from dla_ros.scene.card import write_shape_detector

    write_shape_detector(folder / 'net.onnx', (64, 64), stride=8)
    emulate(folder / 'net.onnx', folder / 'net.dla')
    return folder


@pytest.mark.parametrize(
    ('words', 'name'),
    [(words, name) for words, names in NEEDS for name in names],
    ids=lambda each: each if isinstance(each, str) else f'{each[0]}_{each[1][-6:]}',
)
def test_a_command_names_the_library_that_it_misses(place, words, name):
    done = subprocess.run(
        [sys.executable, '-c', WITHOUT, name, *words],
        cwd=place,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f'the Python library {name} ' in done.stderr
    assert LIBRARIES[name].requirement in done.stderr
    assert 'pip install' in done.stderr
    assert done.stderr.count('\n') == 1


def test_the_cause_comes_before_what_a_dla_would_say(place):
    words = ['detect', 'net.dla', PICTURE, '-p', 'dla_device:=emulator']
    command = [sys.executable, '-c', WITHOUT, 'onnxruntime', *words]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60)
    cause, _, elsewhere = done.stderr.partition('On a DLA')
    assert 'onnxruntime' in cause
    assert 'was built for other DLA software' in elsewhere


@pytest.mark.parametrize('name', sorted(LIBRARIES))
def test_what_pip_is_told_is_what_setup_py_and_the_requirements_say(name):
    library = LIBRARIES[name]
    texts = [SETUP, (ROOT / 'requirements/robot.txt').read_text()]
    assert any(library.requirement in text for text in texts)
    if library.extra:
        extra = re.search(rf"'{library.extra}': \[(.*?)\]", SETUP, re.S)
        assert extra
        assert library.requirement in extra[1]


def test_apt_packages_are_those_of_package_xml():
    declared = (ROOT / 'package.xml').read_text()
    for name, library in LIBRARIES.items():
        if library.apt:
            assert f'<exec_depend>{library.apt}</exec_depend>' in declared, name


@pytest.fixture
def system_python(monkeypatch, tmp_path):
    """Make this Python one of the system's, into which pip installs nothing (PEP 668)."""
    (tmp_path / 'EXTERNALLY-MANAGED').touch()
    monkeypatch.setattr(sysconfig, 'get_path', lambda name: str(tmp_path))
    monkeypatch.setattr(sys, 'prefix', sys.base_prefix)


def test_where_pip_installs_nothing_the_system_or_an_environment_is_named(system_python):
    error = ImportError('gone')
    assert 'sudo apt install python3-opencv' in why_missing('cv2', error)
    said = why_missing('rosbags', error)
    assert 'belongs to the system' in said
    assert "pip install 'rosbags>=0.11'" in said


def test_other_modules_are_not_explained():
    with pytest.raises(ImportError) as caught:
        import_module('dla_ros.nothing')
    assert why_not_imported(caught.value) == ''


@pytest.mark.parametrize(
    ('module', 'name', 'word'),
    [
        ('detector_main', 'numpy', '--help'),
        ('container_main', 'cv2', '--help'),
        ('bag_player_main', 'rosbags', str(ROOT / 'data/pedestrians')),
    ],
)
def test_an_executable_names_the_library_that_it_misses(module, name, word):
    program = WITHOUT.replace('dla_ros.cli.main', f'dla_ros.ros.{module}')
    done = subprocess.run(
        [sys.executable, '-c', program, name, word],
        env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f'the Python library {name} ' in done.stderr
    assert 'Traceback' not in done.stderr
