from dla_ros.robots.names import is_namespace, is_node_name, is_topic, join, resolve
import pytest


@pytest.mark.parametrize(
    ('parts', 'joined'),
    [
        ((), '/'),
        (('',), '/'),
        (('', 'front'), '/front'),
        (('r1', 'front'), '/r1/front'),
        (('/r1', 'cams/front', 'node'), '/r1/cams/front/node'),
        (('r1', '/front', 'node'), '/front/node'),
        (('/', ''), '/'),
    ],
)
def test_parts_are_inside_each_other_unless_absolute(parts, joined):
    assert join(*parts) == joined


def test_a_topic_is_relative_absolute_or_private():
    assert resolve('image', '/front', 'node') == '/front/image'
    assert resolve('/image', '/front', 'node') == '/image'
    assert resolve('~/image', '/front', 'node') == '/front/node/image'


def test_ros_allows_no_other_names():
    assert is_node_name('front_2')
    assert not is_node_name('2_front')
    assert not is_node_name('a/b')
    assert is_namespace('')
    assert is_namespace('/a/b')
    assert not is_namespace('a//b')
    assert is_topic('~/a/b')
    assert not is_topic('a/')
    assert not is_topic('a b')
    assert not is_topic('')
