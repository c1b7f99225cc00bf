"""Whose images are heard; what real publishers look like is tried with nodes (test/ros)."""

from dla_ros.health.finding import Level
from dla_ros.health.hearing import COMPRESSED_IMAGE, hear, IMAGE, Offer, Wish

RAW = Wish('/cam', '/cam', 'raw', 'SENSOR_DATA')


def test_a_publisher_that_fits_is_heard_and_nothing_else_is_asked():
    hearing = hear(RAW, [Offer('/camera', IMAGE)], {})
    assert (hearing.heard, hearing.misfit, hearing.absence) == (('/camera',), None, '')


def test_a_second_publisher_that_does_not_fit_is_a_warning():
    hearing = hear(RAW, [Offer('/camera', IMAGE), Offer('/other', COMPRESSED_IMAGE)], {})
    assert hearing.heard == ('/camera',)
    assert hearing.misfit.level is Level.WARN
    assert '(from /other)' in hearing.misfit.text


def test_a_misfit_is_the_same_trouble_when_its_name_comes():
    first, second = (
        hear(RAW, [Offer(name, COMPRESSED_IMAGE)], {}).misfit for name in ('unknown', '/camera')
    )
    assert first.kind == second.kind
    assert first.text != second.text


def test_qos_overrides_are_named_where_the_profile_hears_everybody():
    hearing = hear(RAW, [Offer('/camera', IMAGE, 'RELIABILITY: ...')], {})
    assert hearing.misfit.text.endswith('cleanup, and drop its qos_overrides')


def test_of_many_image_topics_only_some_are_named():
    others = {f'/c{number}/image': [IMAGE] for number in range(5)}
    said = hear(RAW, [], others).absence
    assert said.endswith("such images are on '/c0/image', '/c1/image', '/c2/image', ...")
