"""Guard the shape of the house: which library enters where, and which room may know which."""

import ast
from pathlib import Path
import sys

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / 'dla_ros'
MODULES = sorted(PACKAGE.rglob('*.py'))
SOURCES = [
    path
    for folder in ('dla_ros', 'scripts', 'launch', 'examples', 'test', 'benchmarks')
    for path in sorted((ROOT / folder).rglob('*.py'))
]
MOST_LINES = 250

ROS = ('ros/',)
ANYWHERE = ('',)
# Library: the only places in dla_ros/ that may import it. What is neither here nor in the
# standard library may not be imported at all.
DOORS = {
    'dla_ros': ANYWHERE,
    'numpy': ANYWHERE,
    'cuda': ('engines/cudla/', 'devices/cuda/'),
    'cupy': ('heads/cupy_arrays.py',),
    'cv2': (
        'bags/',
        'cli/',
        'compressed.py',
        'cv_image.py',
        'demo/',
        'drawing.py',
        'heads/nms.py',
        'preprocess/',
        'scene/',
    ),
    'flatbuffers': ('loadable/',),
    'onnx': ('emulator/', 'scene/'),
    'onnxruntime': ('engines/onnx_session.py',),
    'rich': ('cli/', 'demo/'),
    'rosbags': ('bags/',),
    'yaml': ('record/',),
    'cv_bridge': ('ros/cv_bridge_door.py',),
    'composition_interfaces': ROS,
    'diagnostic_msgs': ROS,
    'lifecycle_msgs': ROS,
    'rcl_interfaces': ROS,
    'rclpy': ROS,
    'sensor_msgs': ROS,
    'std_msgs': ROS,
    'vision_msgs': ROS,
}
# Room: what it may not know. The ground floor is everything that is no room of its own.
CLOSED = {
    'ros': ('cli', 'demo'),
    'cli': ('ros', 'demo'),
    'demo': (),
    'ground floor': ('ros', 'cli', 'demo'),
}


def imports(path):
    """Yield every imported module by its full name, whether at the top or in a function."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f'{path}: {node.lineno}: import by the full name'
            yield from (f'{node.module}.{alias.name}' for alias in node.names)


def place(path):
    return path.relative_to(PACKAGE).as_posix()


def is_inside(path, rooms):
    return place(path).startswith(tuple(rooms))


@pytest.mark.parametrize('path', MODULES, ids=place)
def test_each_library_enters_by_its_door(path):
    libraries = {name.partition('.')[0] for name in imports(path)} - sys.stdlib_module_names
    trespassers = {
        name for name in libraries if not is_inside(path, DOORS.get(name, ('nowhere',)))
    }
    assert not trespassers, f'{place(path)} must not import {trespassers}; doors: {DOORS}'


@pytest.mark.parametrize('path', MODULES, ids=place)
def test_nothing_points_up(path):
    room = place(path).partition('/')[0]
    closed = CLOSED.get(room, CLOSED['ground floor'])
    known = {name.split('.')[1] for name in imports(path) if name.startswith('dla_ros.')}
    assert not known & set(closed), f'{place(path)} must know nothing of {known & set(closed)}'


@pytest.mark.parametrize('path', SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_can_be_read_in_one_sitting(path):
    lines = len(path.read_text().splitlines())
    assert lines <= MOST_LINES, f'{path} has {lines} lines; split it by its nouns'


def test_every_door_is_still_in_use():
    used = {name.partition('.')[0] for path in MODULES for name in imports(path)}
    for library in set(DOORS):
        assert library in used, f'nothing imports {library}: close its door'
