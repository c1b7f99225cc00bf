"""Findings from a camera's figures; that these come about is tried with nodes (test/ros)."""

from dla_ros.health.finding import Finding, Level, merge
from dla_ros.health.hearing import Hearing
from dla_ros.health.judge import CameraState, findings
from dla_ros.health.limits import Limits
from dla_ros.health.window import Flow, Tally
import pytest

FITS = Hearing(heard=('/camera',))


def judge(limits=None, **state):
    values = {'topic': 'image', 'active_s': 60.0, 'hearing': FITS, **state}
    return list(findings(CameraState(**values), limits or Limits()))


def flow(**counted):
    return Flow(10.0, Tally(**counted))


def test_a_camera_that_brings_images_gives_no_finding():
    counted = flow(received=300, processed=299)
    assert not judge(image_age_s=0.1, detection_age_s=0.1, flow=counted)


@pytest.mark.parametrize(
    ('lost', 'level'),
    [(1, None), (15, None), (16, Level.WARN), (299, Level.WARN), (300, Level.ERROR)],
)
def test_loss_warns_from_a_twentieth_and_is_an_error_from_a_half(lost, level):
    found = judge(
        image_age_s=0.0,
        detection_age_s=0.0,
        flow=flow(received=300, lost=lost, processed=300),
    )
    assert [finding.level for finding in found] == ([level] if level is not None else [])


def test_a_camera_of_which_everything_is_lost_is_told_before_its_silence():
    (finding,) = judge(active_s=2.0, flow=flow(lost=40))
    assert finding.level is Level.ERROR
    assert finding.text.startswith("100% of the images of 'image' did not arrive (40 of 40")


def test_a_camera_that_has_not_come_is_not_slow():
    assert not judge(Limits(expected_rate=30.0), active_s=4.0, flow=flow())


def test_a_slow_camera_has_three_of_its_intervals_before_it_is_silent():
    slow = Limits(expected_rate=0.1, image_timeout_s=5.0)
    assert not judge(slow, image_age_s=29.0, detection_age_s=29.0)
    (finding,) = judge(slow, image_age_s=31.0, detection_age_s=31.0)
    assert finding.text.startswith("no image of 'image' for 31 s: /camera is still there; it has ")


def test_images_that_come_and_are_never_answered_are_an_error():
    counted = flow(received=300)
    (finding,) = judge(image_age_s=0.0, flow=counted)
    assert finding == Finding(
        Level.ERROR, 'no detections', "images of 'image' come, but no detections for 60 s"
    )
    assert not judge(image_age_s=0.0, flow=counted, active_s=3.0)


def test_a_misfit_is_one_trouble_before_and_after_the_silence_it_causes():
    misfit = Finding(Level.ERROR, 'wrong type', 'wrong type')
    hearing = Hearing(misfit=misfit, absence='wrong type')
    before = judge(active_s=1.0, hearing=hearing)
    after = judge(active_s=9.0, hearing=hearing)
    assert before == [misfit]
    assert [finding.kind for finding in after] == ['wrong type']
    assert after[0].text == "no image of 'image' for 9 s: wrong type"


def test_the_worst_is_told_first_and_what_is_well_not_at_all():
    rows = [Finding(Level(level), str(level), str(level)) for level in (0, 1, 2, 1)]
    assert merge(rows, 'well') == (Level.ERROR, '2; 1; 1')
    assert merge(rows[:1], 'well') == (Level.OK, 'well')
