"""The Fast DDS profiles that camera images need, and which of them a process takes."""

import os
from xml.etree import ElementTree

from dla_ros.transport import choose, LARGE, profile, SMALL, transport_environment
import pytest

SPACE = '{http://www.eprosima.com}'
IMAGE_4K = 3840 * 2160 * 3
IMAGE_1080P = 1920 * 1080 * 3
PIECE = 65500  # what UDP takes, so what Fast DDS makes of an image, in shared memory too
PLENTY = 10**10
KILTED, JAZZY = 'FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE'


def taken(transport):
    """Give what is set, without what is unset."""
    return {name: value for name, value in transport.setting.items() if value}


def number(file, tag):
    (found,) = ElementTree.parse(file).iter(f'{SPACE}{tag}')
    return int(found.text)


def test_several_4k_images_fit_the_segment_and_all_their_pieces_the_queue():
    segment = number(profile(), 'segment_size')
    assert segment > 4 * IMAGE_4K
    assert number(profile(), 'port_queue_capacity') > segment / PIECE


def test_two_1080p_images_fit_the_small_segment():
    assert number(SMALL.file, 'segment_size') > 2 * IMAGE_1080P


@pytest.mark.parametrize('each', [LARGE, SMALL])
def test_the_memory_that_is_asked_for_is_what_the_segment_takes(each):
    assert each.memory > 1.05 * number(each.file, 'segment_size')


def test_each_distribution_gets_the_variable_it_reads():
    path = str(profile())
    assert transport_environment('jazzy') == {JAZZY: path}
    assert transport_environment('kilted') == {KILTED: path}
    assert transport_environment('') == {KILTED: path}


@pytest.mark.parametrize(('distro', 'variable'), [('jazzy', JAZZY), ('kilted', KILTED)])
def test_a_process_without_a_profile_takes_ours(tmp_path, distro, variable):
    found = choose(distro, {}, PLENTY, tmp_path)
    assert taken(found) == {variable: str(LARGE.file)}
    assert 'DLA_ROS_TRANSPORT=stock' in found.words
    assert found.is_as_wanted


def test_the_switch_leaves_fast_dds_alone(tmp_path):
    found = choose('kilted', {'DLA_ROS_TRANSPORT': 'stock'}, PLENTY, tmp_path)
    assert found.setting == {}
    assert 'stock' in found.words


def test_a_wrong_switch_is_told_and_changes_nothing(tmp_path):
    found = choose('kilted', {'DLA_ROS_TRANSPORT': 'of'}, PLENTY, tmp_path)
    assert "DLA_ROS_TRANSPORT is 'of'; it must be 'images' or 'stock'" in found.words
    assert taken(found) == {KILTED: str(LARGE.file)}
    assert not found.is_as_wanted


def test_a_profile_of_the_user_stays(tmp_path):
    mine = tmp_path / 'mine.xml'
    mine.touch()
    found = choose('kilted', {KILTED: str(mine)}, PLENTY, tmp_path)
    assert found.setting == {}
    assert str(mine) in found.words
    assert found.is_as_wanted


def test_a_profile_by_its_old_name_stays_where_it_is_read_too(tmp_path):
    mine = tmp_path / 'mine.xml'
    mine.touch()
    assert choose('kilted', {JAZZY: str(mine)}, PLENTY, tmp_path).setting == {}
    assert taken(choose('jazzy', {KILTED: str(mine)}, PLENTY, tmp_path)) == {
        JAZZY: str(LARGE.file)
    }


@pytest.mark.parametrize('path', ['', '/no/such.xml'])
def test_a_profile_of_the_user_that_is_not_there_is_told(tmp_path, path):
    found = choose('kilted', {KILTED: path}, PLENTY, tmp_path)
    assert found.setting == {}
    assert f"{KILTED} is '{path}', which is no file" in found.words
    assert not found.is_as_wanted


def test_transports_of_the_user_stay(tmp_path):
    found = choose('jazzy', {'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4'}, PLENTY, tmp_path)
    assert found.setting == {}
    assert 'UDPv4' in found.words


@pytest.mark.parametrize(('distro', 'name'), [('jazzy', 'FASTRTPS'), ('kilted', 'FASTDDS')])
def test_a_profile_in_the_working_folder_stays_unless_it_is_skipped(tmp_path, distro, name):
    (tmp_path / f'DEFAULT_{name}_PROFILES.xml').touch()
    assert choose(distro, {}, PLENTY, tmp_path).setting == {}
    assert choose(distro, {'SKIP_DEFAULT_XML_FILE': '1'}, PLENTY, tmp_path).setting
    other = {'jazzy': 'kilted', 'kilted': 'jazzy'}[distro]
    assert choose(other, {}, PLENTY, tmp_path).setting


@pytest.mark.parametrize('set_by', [{}, {KILTED: str(LARGE.file)}, {KILTED: str(SMALL.file)}])
def test_with_little_shared_memory_less_is_taken_and_said(tmp_path, set_by):
    found = choose('kilted', set_by, 64 << 20, tmp_path)
    assert taken(found) == {KILTED: str(SMALL.file)}
    assert 'only 67 MB free' in found.words
    assert '--shm-size' in found.words
    assert not found.is_as_wanted


@pytest.mark.parametrize('set_by', [{}, {KILTED: str(LARGE.file)}])
def test_with_no_shared_memory_to_speak_of_none_is_taken_and_said(tmp_path, monkeypatch, set_by):
    for name in (KILTED, JAZZY):
        monkeypatch.setenv(name, 'whatever')
    found = choose('kilted', set_by, 1 << 20, tmp_path)
    assert found.setting == {KILTED: None, JAZZY: None}
    assert 'only 1 MB free' in found.words
    assert not found.is_as_wanted
    found.apply()
    assert not {KILTED, JAZZY} & set(os.environ)
