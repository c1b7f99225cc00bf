"""Keep what the repository says about itself true, and free of one machine's particulars."""

import importlib
from pathlib import Path
import re
import subprocess
from xml.etree import ElementTree

import dla_ros
import pytest

ROOT = Path(__file__).resolve().parent.parent
SETUP = (ROOT / 'setup.py').read_text()
(CONSOLE_SCRIPTS,) = re.findall(r"'console_scripts': \[(.*?)\]", SETUP, re.S)
SCRIPTS = re.findall(r"'(\w+) = (dla_ros[\w.]*):(\w+)'", CONSOLE_SCRIPTS)
BINARY = {'.mcap', '.onnx', '.png', '.jpg', '.dla'}
# Spelt in halves, so that this file passes its own test.
UNWANTED = re.compile(
    '|'.join(
        [
            r'(?<![\w.}])/(?:work|root|t' + r'mp)/',
            'pypi' + r'\.org',
            'python' + r'hosted\.org',
            'npm' + r'js\.(?:org|com)',
            'deb' + r'\.debian\.org',
            'archive' + r'\.ubuntu\.com',
        ]
    )
)


def kept_files():
    listed = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.split('\0') if name]
    return [path for top in ('dla_ros', 'scripts', 'test') for path in (ROOT / top).rglob('*.py')]


def test_no_file_names_this_machine_or_a_registry():
    found = []
    for path in kept_files():
        if path.suffix in BINARY or not path.is_file():
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if UNWANTED.search(line):
                found.append(f'{path.relative_to(ROOT)}:{number}: {line.strip()}')
    assert not found, '\n'.join(found)


def test_the_version_is_the_same_everywhere():
    package = ElementTree.parse(ROOT / 'package.xml').findtext('version')
    changelog = re.search(r'^(\d+\.\d+\.\d+) \(', (ROOT / 'CHANGELOG.rst').read_text(), re.M)
    setup = re.search(r"version='([^']+)'", SETUP)
    assert changelog
    assert setup
    assert package == changelog[1] == setup[1] == dla_ros.__version__


@pytest.mark.parametrize(('name', 'module', 'function'), SCRIPTS, ids=lambda text: text)
def test_a_console_script_has_something_to_call(name, module, function):
    assert callable(getattr(importlib.import_module(module), function))


def test_console_scripts_are_found_at_all():
    assert {name for name, _, _ in SCRIPTS} >= {'detector_node', 'dla_ros'}


def test_no_python_dependency_brings_a_ros_of_its_own():
    files = [ROOT / 'setup.py', ROOT / 'requirements/core.txt', ROOT / 'requirements/test.txt']
    for path in files:
        names = re.findall(r'^\s*[\'"]?([A-Za-z][\w.-]*)', path.read_text(), re.M)
        bad = [name for name in names if re.match(r'ros-|cv[-_]bridge$|launch$', name)]
        assert not bad, f'{path.name} must not install {bad}'


def test_no_test_empties_the_log_that_nodes_are_writing():
    taking = 'capfd.read' + 'outerr()'
    found = [path for path in (ROOT / 'test/ros').rglob('test_*.py') if taking in path.read_text()]
    assert not found, f'use the fixture log: what is written while {taking} empties it is gone'
