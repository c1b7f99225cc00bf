"""Guard the shape of the house: which library enters where, and which room may know which."""

import ast
from pathlib import Path
import sys

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
    'argcomplete': ('cli/main.py',),
    'cuda': ('engines/cudla/', 'devices/cuda/'),
    'cupy': ('heads/cupy_arrays.py',),
    'cv2': (
        'bags/',
        'cli/',
        'images/compressed/decode.py',
        'demo/',
        'images/drawing.py',
        'heads/nms.py',
        'preprocess/',
        'scene/',
    ),
    'flatbuffers': ('loadable/',),
    'onnx': ('emulator/', 'model/', 'scene/'),
    'onnxruntime': ('engines/onnx_session.py',),
    'rich': ('cli/', 'demo/'),
    'ros2cli': ('cli/ros2.py',),
    'rosbags': ('bags/',),
    'lz4': ('bags/',),
    'yaml': ('files/yaml_file.py',),
    'cv_bridge': ('ros/cv_bridge_door.py',),
    'ament_index_python': ROS,
    'composition_interfaces': ROS,
    'diagnostic_msgs': ROS,
    'lifecycle_msgs': ROS,
    'rcl_interfaces': ROS,
    'rclpy': ROS,
    'sensor_msgs': ROS,
    'std_msgs': ROS,
    'vision_msgs': ROS,
}
# The floors, from the ground up. A room (a folder of dla_ros/, or a file that lies there) may know
# itself and what lies on the floors below its own: so there is no circle, and no way up.
FLOORS = (
    ('detections', 'malloc', 'one_line', 'owner', 'shared_memory'),
    ('errors',),
    ('entry_points', 'files', 'held', 'images', 'installation', 'tensors', 'topics'),
    ('bags', 'devices', 'loadable', 'model', 'setting', 'transport'),
    ('config', 'heads', 'preprocess'),
    ('engines', 'health', 'record'),
    ('emulator', 'pipeline', 'scene'),
    ('detector', 'robots'),
    ('cli', 'ros'),
    ('demo',),
)  # fmt: skip
# What a user imports: it brings names when they are asked for, and nobody inside needs it.
FRONT_DOOR = '__init__.py'


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


def room_of(path):
    return place(path).partition('/')[0].removesuffix('.py')


INSIDE = [path for path in MODULES if place(path) != FRONT_DOOR]


def test_each_library_enters_by_its_door():
    trespassers = [
        f'{place(path)} imports {library}'
        for path in MODULES
        for library in {name.partition('.')[0] for name in imports(path)} - sys.stdlib_module_names
        if not place(path).startswith(DOORS.get(library, ('nowhere',)))
    ]
    assert not trespassers, f'doors: {DOORS}'


def test_every_door_is_still_in_use():
    used = {name.partition('.')[0] for path in MODULES for name in imports(path)}
    assert set(DOORS) - used == set(), 'nothing imports these: close their doors'


def test_every_room_has_its_floor_and_every_floor_its_rooms():
    rooms = [room for floor in FLOORS for room in floor]
    assert sorted(rooms) == sorted({room_of(path) for path in INSIDE})


def test_nothing_points_up_or_across():
    level = {room: number for number, floor in enumerate(FLOORS) for room in floor}
    wrong = [
        f'{place(path)} imports {name}'
        for path in INSIDE
        for name in imports(path)
        if name.startswith('dla_ros.')
        for room, known in [(room_of(path), name.split('.')[1])]
        if known != room and level.get(known, len(FLOORS)) >= level[room]
    ]
    assert not wrong, f'from the ground up: {FLOORS}'


def test_a_file_can_be_read_in_one_sitting():
    lines = {path: len(path.read_text().splitlines()) for path in SOURCES}
    long = [f'{path.relative_to(ROOT)}: {count}' for path, count in lines.items()
            if count > MOST_LINES]  # fmt: skip
    assert not long, f'more than {MOST_LINES} lines; split them by their nouns'
