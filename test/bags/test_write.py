from pathlib import Path

from dla_ros.bags.read import bag_topics, read_messages
from dla_ros.bags.write import BagWriter
from dla_ros.errors import BagError
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DETECTIONS = 'vision_msgs/msg/Detection2DArray'
# REP-2011 hash of vision_msgs 4.x in Jazzy and Kilted.
DETECTIONS_HASH = 'RIHS01_214274120007f4a683866481336b70310268cfa107aebe9d594a6acf75bda968'
STRING = b'\x00\x01\x00\x00\x02\x00\x00\x00a\x00'
EMPTY_ARRAY = b'\x00\x01\x00\x00' + bytes(8) + b'\x01\x00\x00\x00' + bytes(4) + bytes(4)


@pytest.fixture(scope='module')
def definitions():
    """Give the texts of vision_msgs' message definitions."""
    folder = ROOT / 'interfaces' / 'vision_msgs' / 'msg'
    return {f'vision_msgs/msg/{path.stem}': path.read_text() for path in folder.glob('*.msg')}


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_messages_come_back_byte_for_byte(tmp_path, definitions, storage):
    with BagWriter.open(tmp_path / 'bag', definitions, storage=storage) as writer:
        writer.write('/detections', DETECTIONS, EMPTY_ARRAY, 20)
        writer.write('/chatter', 'std_msgs/msg/String', STRING, 30)
        writer.write('/detections', DETECTIONS, EMPTY_ARRAY, 40)
    assert [(m.topic, m.stamp_ns, m.data) for m in read_messages(tmp_path / 'bag')] == [
        ('/detections', 20, EMPTY_ARRAY),
        ('/chatter', 30, STRING),
        ('/detections', 40, EMPTY_ARRAY),
    ]


def test_the_metadata_is_what_ros2_bag_info_reads(tmp_path, definitions):
    with BagWriter.open(tmp_path / 'bag', definitions) as writer:
        writer.write('/detections', DETECTIONS, EMPTY_ARRAY, 1_000)
        writer.write('/detections', DETECTIONS, EMPTY_ARRAY, 4_000)
    info = yaml.safe_load((tmp_path / 'bag' / 'metadata.yaml').read_text())
    info = info['rosbag2_bagfile_information']
    assert (info['version'], info['storage_identifier'], info['message_count']) == (9, 'mcap', 2)
    assert info['starting_time'] == {'nanoseconds_since_epoch': 1_000}
    assert info['duration'] == {'nanoseconds': 3_000}
    assert [(tmp_path / 'bag' / name).is_file() for name in info['relative_file_paths']] == [True]
    (topic,) = info['topics_with_message_count']
    assert topic['topic_metadata']['type'] == DETECTIONS
    assert topic['topic_metadata']['type_description_hash'] == DETECTIONS_HASH


def test_the_definitions_are_in_the_file(tmp_path, definitions):
    with BagWriter.open(tmp_path / 'bag', definitions) as writer:
        writer.write('/detections', DETECTIONS, EMPTY_ARRAY, 0)
    content = (tmp_path / 'bag' / 'bag.mcap').read_bytes()
    for word in (b'ros2msg', b'MSG: vision_msgs/BoundingBox2D', b'MSG: std_msgs/Header'):
        assert word in content


def test_given_definitions_count_more_than_the_built_in_ones(tmp_path):
    changed = {'std_msgs/msg/String': 'string data\nint32 more\n'}
    with BagWriter.open(tmp_path / 'bag', changed) as writer:
        writer.write('/chatter', 'std_msgs/msg/String', STRING, 0)
    assert b'int32 more' in (tmp_path / 'bag' / 'bag.mcap').read_bytes()


def test_an_empty_bag_is_a_bag(tmp_path):
    BagWriter.open(tmp_path / 'bag').close()
    assert bag_topics(tmp_path / 'bag') == []


def test_closing_twice_is_fine(tmp_path):
    writer = BagWriter.open(tmp_path / 'bag')
    writer.close()
    writer.close()


def test_a_type_without_a_definition_is_refused(tmp_path):
    writer = BagWriter.open(tmp_path / 'bag')
    with writer, pytest.raises(BagError, match=f"{DETECTIONS} of topic '/d' has no definition"):
        writer.write('/d', DETECTIONS, EMPTY_ARRAY, 0)


def test_a_second_type_on_a_topic_is_refused(tmp_path):
    with BagWriter.open(tmp_path / 'bag') as writer:
        writer.write('/a', 'std_msgs/msg/String', STRING, 0)
        with pytest.raises(BagError, match='has type std_msgs/msg/String'):
            writer.write('/a', 'std_msgs/msg/Int32', STRING, 0)


def test_an_existing_bag_is_never_overwritten(tmp_path):
    BagWriter.open(tmp_path / 'bag').close()
    with pytest.raises(BagError, match='exists already'):
        BagWriter.open(tmp_path / 'bag')


def test_an_unknown_storage_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(BagError, match='use mcap or sqlite3'):
        BagWriter.open(tmp_path / 'bag', storage='rosbag1')


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / 'file').write_text('')
    with pytest.raises(BagError, match='cannot be written'):
        BagWriter.open(tmp_path / 'file' / 'bag')


def test_a_definition_that_is_none_is_refused(tmp_path):
    with pytest.raises(BagError, match='definition cannot be read'):
        BagWriter.open(tmp_path / 'bag', {'a_msgs/msg/A': 'int32 = ='})
