import os
from pathlib import Path

from dla_ros.errors import HeadError
from dla_ros.heads.labels import check_labels, MOST_BYTES, read_labels
import pytest


def test_labels_come_in_the_order_of_the_file(tmp_path):
    path = tmp_path / 'labels.txt'
    path.write_text('\ufeffperson\n  traffic light \r\nkäfer\n\n', encoding='utf-8')
    assert read_labels(path) == ('person', 'traffic light', 'käfer')


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(HeadError, match=r'gone\.txt.* cannot be read'):
        read_labels(tmp_path / 'gone.txt')


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / 'labels.txt').write_bytes(b'\xff\xfe\x00\x80')
    with pytest.raises(HeadError, match='UTF-8'):
        read_labels(tmp_path / 'labels.txt')


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / 'labels.txt').write_text('\n \n')
    with pytest.raises(HeadError, match='is empty'):
        read_labels(tmp_path / 'labels.txt')


def test_labels_that_do_not_fit_are_refused_with_both_numbers():
    with pytest.raises(HeadError, match='labels 80, output classes 3'):
        check_labels([str(i) for i in range(80)], 3)


def test_labels_that_fit_and_none_at_all_are_fine():
    check_labels(['a', 'b', 'c'], 3)
    check_labels([], 3)


def test_what_is_no_file_is_named_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / 'pipe')
    with pytest.raises(HeadError, match='it is a pipe'):
        read_labels(tmp_path / 'pipe')
    with pytest.raises(HeadError, match='it is a device'):
        read_labels(Path('/dev/zero'))


def test_as_large_a_file_as_allowed_is_read_and_not_one_larger(tmp_path):
    (tmp_path / 'labels.txt').write_text('x' * MOST_BYTES)
    assert len(read_labels(tmp_path / 'labels.txt')[0]) == MOST_BYTES
    (tmp_path / 'labels.txt').write_text('x' * (MOST_BYTES + 1))
    with pytest.raises(HeadError, match=f'more than {MOST_BYTES} bytes'):
        read_labels(tmp_path / 'labels.txt')
