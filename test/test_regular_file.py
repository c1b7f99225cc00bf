"""Files, and what only looks like one."""

import os
from pathlib import Path
import socket

from dla_ros.regular_file import open_regular, read_regular
import pytest


def test_a_file_is_read_whole_up_to_the_limit(tmp_path):
    path = tmp_path / 'file'
    path.write_bytes(b'12345')
    assert read_regular(path, 5) == b'12345'
    with pytest.raises(OSError, match='more than 4 bytes'):
        read_regular(str(path), 4)


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
