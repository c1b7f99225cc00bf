"""The Fast DDS profile that camera images need."""

from xml.etree import ElementTree

from dla_ros.transport import profile, transport_environment

SPACE = '{http://www.eprosima.com}'
IMAGE_4K = 3840 * 2160 * 3


def number(tag):
    (found,) = ElementTree.parse(profile()).iter(f'{SPACE}{tag}')
    return int(found.text)


def test_a_4k_image_is_one_message_and_several_fit_the_segment():
    assert number('maxMessageSize') > IMAGE_4K
    assert number('segment_size') > 4 * IMAGE_4K


def test_each_distribution_gets_the_variable_it_reads():
    path = str(profile())
    assert transport_environment('jazzy') == {'FASTRTPS_DEFAULT_PROFILES_FILE': path}
    assert transport_environment('kilted') == {'FASTDDS_DEFAULT_PROFILES_FILE': path}
    assert transport_environment('') == {'FASTDDS_DEFAULT_PROFILES_FILE': path}
