from dla_ros.errors import RobotError
from dla_ros.robots.robot import Robot
import pytest

GOOD = """
    description: a robot
    dla_cores: 1
    executor: single
    detectors:
      front:
        engine: /opt/front.dla
        namespace: cams/front
        image_topics: [image_raw]
        confidence_threshold: 1
        image_mean: [0, 1.5, 2]
        remap: {detections: people}
"""


def test_what_a_file_says_stands_in_the_robot(read):
    robot = read(GOOD)
    (front,) = robot.detectors
    assert (robot.name, robot.description) == ('mine', 'a robot')
    assert (robot.dla_cores, robot.executor) == (1, 'single')
    assert front.full_name() == '/cams/front/front'
    assert front.topics() == {'/cams/front/image_raw': '/cams/front/people'}
    assert front.engine == '/opt/front.dla'


def test_only_what_is_said_becomes_a_parameter_and_has_the_type_of_the_table(read):
    (front,) = read(GOOD).detectors
    assert front.parameters == {
        'engine_file_path': '/opt/front.dla',
        'image_topics': ('image_raw',),
        'confidence_threshold': 1.0,
        'image_mean': (0.0, 1.5, 2.0),
    }
    assert isinstance(front.parameters['confidence_threshold'], float)
    assert front.config.nms_threshold == 0.6


def test_what_several_detectors_share_can_be_written_once(read):
    robot = read("""
        detectors:
          left: &shared
            engine: /opt/a.dla
            namespace: left
            nms_threshold: 0.5
          right:
            <<: *shared
            namespace: right
    """)
    assert [entry.full_name() for entry in robot.detectors] == ['/left/left', '/right/right']
    assert {entry.config.nms_threshold for entry in robot.detectors} == {0.5}


@pytest.mark.parametrize(
    ('line', 'key', 'words'),
    [
        ('dla_cor: 1', 'dla_cor', "did you mean 'dla_core'?"),
        ('dla_core: two', 'dla_core', "is 'two'; it must be a whole number from 0 to 15"),
        ('dla_core: -1', 'dla_core', 'is -1'),
        ('dla_core: true', 'dla_core', 'is True'),
        (
            'confidence_threshold: 40',
            'confidence_threshold',
            'it must be a number from 0.0 to 1.0',
        ),
        ('confidence_threshold: .nan', 'confidence_threshold', 'is nan'),
        ('image_topics: image', 'image_topics', 'it must be a list'),
        ('image_topics: []', 'image_topics', 'is empty; leave the key out'),
        ('image_topics: [a b]', 'image_topics', "is 'a b'; a topic is"),
        ('image_topics: [a/x, a/y]', 'image_topics', 'would both publish'),
        (
            'image_topics: [a/image_raw/compressed]',
            'image_topics',
            'set image_transport: compressed and image_topics: [a/image_raw]',
        ),
        ('image_topics: [a/zstd]', 'image_topics', "does not read 'zstd'"),
        ('image_transport: theora', 'image_transport', "one of 'raw', 'compressed'"),
        ('namespace: 3', 'namespace', 'it must be text'),
        ('namespace: front-left', 'namespace', "is 'front-left'; a namespace is"),
        ('remap: {detections: 1a}', 'remap.detections', 'a topic is'),
        ('remap: detections', 'remap', 'write "key: value" lines under it'),
        ('frame: base_link', 'frame', 'set frame_id in the driver of the camera'),
        ('engine_file_path: /a.dla', 'engine_file_path', "is called 'engine' here"),
        ('executor: single', 'executor', 'at the top of the file'),
        ('name: other', 'name', 'is the key above'),
        ('label_path: nowhere.txt', 'label_path', 'neither in'),
        ('emulate: model.onnx', '', 'needs one of two keys'),
    ],
)
def test_a_bad_line_is_named_with_file_line_key_and_remedy(write, line, key, words):
    path = write(f'detectors:\n  front:\n    engine: /opt/front.dla\n    {line}\n')
    with pytest.raises(RobotError) as caught:
        Robot.open(str(path))
    place = f"line {4 if key else 2}: 'detectors.front{'.' if key else ''}{key}'"
    assert f'{path}, {place}' in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ('text', 'words'),
    [
        ('', "'detectors' is missing or empty"),
        ('detectors:', "line 1: 'detectors' is missing or empty"),
        ('[front]', 'the robot file is '),
        ('detectors: [front]', 'write "key: value" lines under it'),
        ('detectors:\n  1front: {engine: /a.dla}', 'is no name of a node'),
        ('detectors:\n  front:', "'detectors.front' needs one of two keys"),
        ('detectors:\n  front: /a.dla', "line 2: 'detectors.front' is '/a.dla'"),
        ('detectors: {front: {engine: }}', "'detectors.front.engine' is None; it must be text"),
        ('detector: {}', "did you mean 'detectors'?"),
        ('detectors:\n  a: {engine: /a.dla}\n  a: {engine: /a.dla}', 'stands twice, see line 2'),
        ('dla_cores: 0\ndetectors: {a: {engine: /a.dla}}', 'the number of DLA cores'),
        ('executor: fast\ndetectors: {a: {engine: /a.dla}}', 'one of auto, events'),
        ('detectors: {', 'is not valid YAML'),
        ('detectors: {a: {emulate: /m.onnx, dla_device: hardware}}', 'emulate means the emulator'),
    ],
)
def test_a_file_that_cannot_be_is_refused(write, text, words):
    path = write(text)
    with pytest.raises(RobotError) as caught:
        Robot.open(str(path))
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_bytes(b'\xff\xfe\x00')
    with pytest.raises(RobotError, match='is not UTF-8'):
        Robot.open(str(path))


def test_an_engine_beside_the_file_is_found_there(read, tmp_path):
    (tmp_path / 'a.dla').write_bytes(b'')
    (entry,) = read('detectors: {a: {engine: a.dla}}').detectors
    assert entry.engine == str(tmp_path / 'a.dla')


def test_an_engine_of_the_package_is_found_there(read):
    (entry,) = read('detectors: {a: {engine: models/nanodet_g_416.onnx}}').detectors
    assert entry.engine.endswith('models/nanodet_g_416.onnx')
    assert entry.emulate is None


def test_a_relative_engine_that_is_nowhere_is_refused(read, tmp_path):
    with pytest.raises(RobotError, match=f"neither in '{tmp_path}' nor in the share folder"):
        read('detectors: {a: {engine: a.dla}}')


def test_a_model_to_emulate_means_the_emulator(read):
    (entry,) = read('detectors: {a: {emulate: models/nanodet_g_416.onnx}}').detectors
    assert entry.emulate is not None
    assert entry.config.dla_device == 'emulator'
