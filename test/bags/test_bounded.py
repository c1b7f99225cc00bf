"""Compressed bags that unfold to far more than they are: refused, and not unfolded first."""

import os
import tracemalloc
from types import SimpleNamespace

from dla_ros.bags import bounded
from dla_ros.bags.library import rosbag2
from dla_ros.bags.read import bag_topics, read_images, read_messages
from dla_ros.errors import BagError
import lz4.frame
import pytest
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.rosbag2.storage_mcap import DECOMPRESSORS, zstd
from rosbags.typesys import get_typestore, Stores

STORE = get_typestore(Stores.ROS2_JAZZY)
KIND = 'std_msgs/msg/String'
MIB = 1 << 20
MODES = {
    'a message, sqlite3': (CompressionMode.MESSAGE, StoragePlugin.SQLITE3),
    'a message, mcap': (CompressionMode.MESSAGE, StoragePlugin.MCAP),
    'a file, sqlite3': (CompressionMode.FILE, StoragePlugin.SQLITE3),
    'a file, mcap': (CompressionMode.FILE, StoragePlugin.MCAP),
    'a chunk, mcap': (CompressionMode.STORAGE, StoragePlugin.MCAP),
}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(bounded, 'ALWAYS', MIB)


@pytest.fixture(params=MODES)
def make(request, tmp_path):
    """Give the maker of a bag of one message of so many bytes, compressed in some way."""
    mode, storage = MODES[request.param]

    def write(nbytes):
        path = tmp_path / 'bag'
        writer = Writer(path, version=9, storage_plugin=storage)
        writer.set_compression(mode, CompressionFormat.ZSTD)
        with writer:
            connection = writer.add_connection('/a', KIND, typestore=STORE)
            writer.write(connection, 1, bytes(nbytes))
        return path

    return write


def test_what_unfolds_beyond_measure_is_refused_before_it_is_in_memory(make, monkeypatch):
    monkeypatch.setattr(bounded, 'MOST_FILE_FOLD', 100)
    bag = make(64 * MIB)
    tracemalloc.start()
    try:
        with pytest.raises(BagError, match='compressed bytes unfolds to more than'):
            list(read_messages(bag))
        assert tracemalloc.get_traced_memory()[1] < 16 * MIB
    finally:
        tracemalloc.stop()


def test_what_unfolds_to_a_sensible_size_is_read(make):
    (message,) = read_messages(make(MIB // 2))
    assert message.data == bytes(MIB // 2)


def test_a_bag_is_bound_by_what_it_holds(make, monkeypatch):
    monkeypatch.setattr(bounded, 'ALWAYS', 0)
    monkeypatch.setattr(bounded, 'MOST_FILE_FOLD', 20_000)
    monkeypatch.setattr(bounded, 'MOST_FOLD', 20_000)
    (message,) = read_messages(make(MIB // 2))
    assert len(message.data) == MIB // 2


def test_the_bound_is_the_larger_of_two():
    assert bounded.bound(10, 100) == MIB
    assert bounded.bound(MIB, 100) == 100 * MIB


def frames(name, *contents):
    compress = lz4.frame.compress if name == 'lz4' else zstd.compress
    return b''.join(compress(each) for each in contents)


@pytest.mark.parametrize('name', ['zstd', 'lz4'])
def test_a_chunk_of_several_frames_counts_as_a_whole(name):
    rosbag2()
    unfold = DECOMPRESSORS[name]
    data = frames(name, b'a' * 1000, b'b' * 1000)
    assert unfold(data, 2000) == b'a' * 1000 + b'b' * 1000
    with pytest.raises(bounded.UnfoldedError, match='more than 1999'):
        unfold(data, 1999)
    with pytest.raises(EOFError, match='before its end mark'):
        unfold(data[:-3], 2000)
    with pytest.raises(bounded.UnfoldedError, match=f'more than {MIB}'):
        unfold(data, MIB + 1)


@pytest.mark.parametrize('data', [b'', b'\0\1\0\0', b'\0\1\0\0' + b'\xff' * 40])
def test_a_message_that_is_not_of_its_type_is_a_bag_error(tmp_path, data):
    with Writer(tmp_path / 'bag', version=9) as writer:
        connection = writer.add_connection('/a', 'sensor_msgs/msg/Image', typestore=STORE)
        writer.write(connection, 1, data)
    with pytest.raises(BagError, match="on '/a' that is no sensor_msgs/msg/Image"):
        list(read_images(tmp_path / 'bag'))


def test_a_bag_is_made_of_regular_files(make):
    bag = make(10)
    os.mkfifo(bag / 'more.db3')
    with pytest.raises(BagError, match='it is a pipe, not a regular file'):
        bag_topics(bag)


def test_metadata_that_unfolds_is_refused(make):
    bag = make(10)
    lines = ['l0: &l0 [x, x, x, x, x, x, x, x, x, x]'] + [
        f'l{n}: &l{n} [{", ".join(10 * [f"*l{n - 1}"])}]' for n in range(1, 9)
    ]
    (bag / 'metadata.yaml').write_text('\n'.join(lines))
    with pytest.raises(BagError, match='more than 100000 values'):
        bag_topics(bag)


@pytest.mark.parametrize(
    'reader',
    [SimpleNamespace(), SimpleNamespace(zstd=SimpleNamespace.__class__)],
)
def test_a_release_that_unfolds_in_another_way_is_refused(reader):
    with pytest.raises(BagError, match=r'rosbags>=0\.11\.7'):
        bounded.bind(reader, SimpleNamespace(DECOMPRESSORS={}))
