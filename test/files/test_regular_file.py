"""Files, and what only looks like one."""

import os
from pathlib import Path
import socket
import tracemalloc

from dla_ros.files.regular_file import open_regular, read_regular, write_regular
import pytest


def test_a_file_is_read_whole_up_to_the_limit(tmp_path):
    path = tmp_path / 'file'
    path.write_bytes(b'12345')
    assert read_regular(path, 5) == b'12345'
    with pytest.raises(OSError, match='more than 4 bytes'):
        read_regular(str(path), 4)


def test_a_small_file_takes_no_more_memory_than_it_has_bytes(tmp_path):
    path = tmp_path / 'file'
    path.write_bytes(b'12345')
    tracemalloc.start()
    try:
        assert read_regular(path, 1 << 31) == b'12345'
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_file_that_says_it_is_empty_is_read_no_further_than_the_limit():
    assert os.stat('/proc/self/maps').st_size == 0
    assert len(read_regular('/proc/self/maps', 1 << 24)) > 100
    with pytest.raises(OSError, match='more than 100 bytes'):
        read_regular('/proc/self/maps', 100)


def test_a_link_to_a_file_is_read(tmp_path):
    (tmp_path / 'file').write_bytes(b'12')
    (tmp_path / 'link').symlink_to('file')
    assert read_regular(tmp_path / 'link', 2) == b'12'


@pytest.mark.parametrize('read', [open_regular, lambda path: read_regular(path, 100)])
def test_what_is_no_file_is_named_and_not_waited_for(tmp_path, read):
    os.mkfifo(tmp_path / 'pipe')
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / 'socket'))
    before = len(os.listdir('/proc/self/fd'))
    for path, words in [
        (tmp_path / 'pipe', 'it is a pipe, not a regular file'),
        (Path('/dev/zero'), 'it is a device, not a regular file'),
        (tmp_path, 'Is a directory'),
        (tmp_path / 'missing', 'No such file'),
        (tmp_path / ('n' * 256), 'File name too long'),
        (f'{tmp_path}/a\0b', 'no file can have such a name'),
        (f'{tmp_path}/\ud800', 'no file can have such a name'),
    ]:
        with pytest.raises(OSError, match=words) as caught:
            read(path)
        assert caught.value.strerror
    with pytest.raises(OSError):
        read(tmp_path / 'socket')
    assert len(os.listdir('/proc/self/fd')) == before


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path):
    path = tmp_path / ('n' * 255)
    for content in (b'one', b'two'):
        write_regular(path, content)
        assert path.read_bytes() == content
        assert os.listdir(tmp_path) == [path.name]
    assert path.stat().st_mode & 0o777 == 0o666 & ~current_umask()


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_where_a_link_leads_is_written_and_the_link_stays(tmp_path):
    (tmp_path / 'link').symlink_to('file')
    write_regular(tmp_path / 'link', b'1')
    assert (tmp_path / 'link').is_symlink()
    assert (tmp_path / 'file').read_bytes() == b'1'


def test_what_fails_to_be_written_leaves_the_old_file(tmp_path, monkeypatch):
    def fail(number):
        raise OSError(28, 'No space left on device')

    path = tmp_path / 'file'
    path.write_bytes(b'old')
    monkeypatch.setattr(os, 'fsync', fail)
    with pytest.raises(OSError, match='No space'):
        write_regular(path, b'new')
    assert path.read_bytes() == b'old'
    assert os.listdir(tmp_path) == ['file']


@pytest.mark.parametrize('name', ['n' * 256, 'a\0b', '\ud800', '.', 'missing/file', '/dev/full'])
def test_a_place_that_can_hold_no_file_is_refused(tmp_path, name):
    with pytest.raises(OSError) as caught:
        write_regular(tmp_path / name, b'x')
    assert caught.value.strerror
    assert os.listdir(tmp_path) == []
