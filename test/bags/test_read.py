from pathlib import Path
import shutil
import sys

from dla_ros.bags.read import bag_topics, read_images, read_messages
from dla_ros.bags.write import BagWriter
from dla_ros.errors import BagError
import numpy as np
import pytest
from rosbags.typesys import get_typestore, Stores

PEDESTRIANS = Path(__file__).resolve().parents[2] / 'data' / 'pedestrians'
TOPIC = '/camera/image_raw/compressed'
STORE = get_typestore(Stores.ROS2_JAZZY)


def image_cdr(stamp_ns, picture, step):
    """Serialise a bgr8 sensor_msgs/Image whose rows are ``step`` bytes apart."""
    types = STORE.types
    height, width = picture.shape[:2]
    rows = np.zeros((height, step), np.uint8)
    rows[:, : width * 3] = picture.reshape(height, -1)
    stamp = types['builtin_interfaces/msg/Time'](stamp_ns // 10**9, stamp_ns % 10**9)
    header = types['std_msgs/msg/Header'](stamp, 'cam')
    message = types['sensor_msgs/msg/Image'](
        header, height, width, 'bgr8', 0, step, rows.reshape(-1)
    )
    return bytes(STORE.serialize_cdr(message, 'sensor_msgs/msg/Image'))


def test_topics_are_listed_with_type_and_count():
    assert bag_topics(PEDESTRIANS) == [(TOPIC, 'sensor_msgs/msg/CompressedImage', 48)]


def test_messages_come_as_they_were_recorded():
    messages = list(read_messages(PEDESTRIANS, [TOPIC]))
    assert len(messages) == 48
    assert {message.type_name for message in messages} == {'sensor_msgs/msg/CompressedImage'}
    stamps = [message.stamp_ns for message in messages]
    assert stamps == [1_700_000_000_000_000_000 + i * 100_000_000 for i in range(48)]
    assert messages[0].data[:4] == b'\x00\x01\x00\x00'
    assert b'camera_optical_frame' in messages[0].data


def test_compressed_images_come_as_pixels():
    images = list(read_images(PEDESTRIANS))
    assert len(images) == 48
    assert images[3].stamp_ns == 1_700_000_000_300_000_000
    assert images[3].frame_id == 'camera_optical_frame'
    assert images[3].view.height_width == (576, 768)


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_raw_images_come_as_pixels_from_either_storage(tmp_path, storage):
    picture = np.random.default_rng(0).integers(0, 256, (4, 5, 3), np.uint8)
    with BagWriter.open(tmp_path / 'bag', storage=storage) as writer:
        writer.write('/image', 'sensor_msgs/msg/Image', image_cdr(12_000_000_345, picture, 20), 7)
        writer.write('/other', 'sensor_msgs/msg/Image', image_cdr(9, picture, 15), 8)
    (image,) = read_images(tmp_path / 'bag', '/image')
    assert (image.stamp_ns, image.received_ns, image.frame_id) == (12_000_000_345, 7, 'cam')
    np.testing.assert_array_equal(image.view.planes[0], picture)
    assert [each.topic for each in read_images(tmp_path / 'bag')] == ['/image', '/other']


def test_no_topics_asked_for_give_no_messages():
    assert list(read_messages(PEDESTRIANS, [])) == []


def test_a_topic_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(BagError, match=f'no topic /image; it has: {TOPIC}'):
        list(read_messages(PEDESTRIANS, ['/image']))
    with pytest.raises(BagError, match=f'no images on /image; image topics: {TOPIC}'):
        list(read_images(PEDESTRIANS, '/image'))


def test_a_bag_without_images_is_refused(tmp_path):
    with BagWriter.open(tmp_path / 'bag') as writer:
        writer.write('/chatter', 'std_msgs/msg/String', b'\0\1\0\0\2\0\0\0a\0', 0)
    with pytest.raises(BagError, match='no images on any topic; image topics: none'):
        list(read_images(tmp_path / 'bag'))


def test_what_is_no_bag_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / 'gone', PEDESTRIANS / 'pedestrians.mcap'):
        with pytest.raises(BagError, match='is no bag'):
            bag_topics(path)


@pytest.mark.parametrize('kept', [0, 10, 1000, 2_000_000])
def test_a_bag_that_was_cut_off_is_refused_by_its_name(tmp_path, kept):
    bag = tmp_path / 'cut'
    shutil.copytree(PEDESTRIANS, bag)
    content = (bag / 'pedestrians.mcap').read_bytes()
    (bag / 'pedestrians.mcap').write_bytes(content[:kept])
    with pytest.raises(BagError, match=f"bag '{bag}' cannot be read"):
        list(read_messages(bag))


def test_a_bag_that_was_overwritten_in_the_middle_is_refused_by_its_name(tmp_path):
    bag = tmp_path / 'bad'
    shutil.copytree(PEDESTRIANS, bag)
    content = bytearray((bag / 'pedestrians.mcap').read_bytes())
    content[1_000_000:2_500_000] = b'\xff' * 1_500_000
    (bag / 'pedestrians.mcap').write_bytes(content)
    with pytest.raises(BagError, match=f"bag '{bag}' cannot be read"):
        list(read_messages(bag))


def test_broken_metadata_is_refused(tmp_path):
    (tmp_path / 'metadata.yaml').write_text('nothing: [')
    with pytest.raises(BagError, match='cannot be read'):
        bag_topics(tmp_path)


def test_a_missing_library_is_named_with_its_command(monkeypatch):
    monkeypatch.setitem(sys.modules, 'rosbags.rosbag2', None)
    with pytest.raises(BagError, match="pip install 'rosbags"):
        bag_topics(PEDESTRIANS)
