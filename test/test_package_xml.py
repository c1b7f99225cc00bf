"""Check package.xml as ament_xmllint and a rosdep run would, with the standard library."""

import ast
from pathlib import Path
import sys
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sorted([ROOT / 'package.xml', *(ROOT / 'interfaces').glob('*/package.xml')])
NOT_ROS = {'dla_ros', 'numpy', 'cv2', 'rich', 'yaml', 'onnx', 'onnxruntime'}


def names(path, tag):
    return [element.text for element in ElementTree.parse(path).getroot().findall(tag)]


def ros_imports():
    """Return the ROS packages that launch files and the ROS room import."""
    found = set()
    for folder in ('dla_ros/ros', 'launch'):
        for path in (ROOT / folder).rglob('*.py'):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom):
                    found.add(node.module.partition('.')[0])
                elif isinstance(node, ast.Import):
                    found.update(alias.name.partition('.')[0] for alias in node.names)
    return found - NOT_ROS - sys.stdlib_module_names


@pytest.mark.parametrize('path', PACKAGES, ids=lambda path: path.parent.name)
def test_a_package_says_what_format_3_demands(path):
    root = ElementTree.parse(path).getroot()
    assert root.get('format') == '3'
    for tag in ('name', 'version', 'description', 'maintainer', 'license'):
        assert root.findtext(tag, '').strip(), f'{path} lacks <{tag}>'
    assert root.find('maintainer').get('email')
    assert names(path, 'export/build_type') in (['ament_python'], ['ament_cmake'])


@pytest.mark.parametrize('tag', ['exec_depend', 'test_depend'])
def test_dependencies_are_sorted_and_said_once(tag):
    listed = names(ROOT / 'package.xml', tag)
    assert listed == sorted(set(listed))


def test_every_ros_package_that_is_imported_is_declared():
    missing = ros_imports() - set(names(ROOT / 'package.xml', 'exec_depend'))
    assert not missing, f'package.xml needs <exec_depend> for {missing}'


def test_the_license_file_is_there():
    license = ElementTree.parse(ROOT / 'package.xml').getroot().find('license')
    assert (ROOT / license.get('file')).read_text().lstrip().startswith('Apache License')
