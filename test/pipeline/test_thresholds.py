"""Thresholds: what cannot be meant is refused."""

from dla_ros.config import settings
from dla_ros.errors import ConfigError
from dla_ros.heads.nms import MAX_CANDIDATES
from dla_ros.pipeline.frame import Thresholds
import pytest


def test_the_ends_of_the_ranges_are_allowed():
    Thresholds(confidence=0.0, nms=1.0, max_detections=1)
    Thresholds(confidence=1.0, nms=0.0, max_detections=10_000)


@pytest.mark.parametrize(
    ('values', 'text'),
    [
        ({'confidence': -0.1}, 'confidence threshold -0.1'),
        ({'confidence': 1.1}, 'confidence threshold 1.1'),
        ({'nms': 2.0}, 'nms threshold 2.0'),
        ({'confidence': float('nan')}, 'confidence threshold nan'),
        ({'max_detections': 0}, 'at least 1'),
    ],
)
def test_values_without_a_meaning_are_refused(values, text):
    with pytest.raises(ConfigError, match=text):
        Thresholds(**values)


def test_as_many_detections_can_be_asked_for_as_suppression_gives():
    assert settings()['max_detections'].high == MAX_CANDIDATES
