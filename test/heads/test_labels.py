from dla_ros.errors import HeadError
from dla_ros.heads.labels import check_labels, read_labels
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
