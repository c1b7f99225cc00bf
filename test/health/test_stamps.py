"""From which stamps and clocks a latency can be told."""

from dla_ros.health.finding import Level
from dla_ros.health.stamps import StampAge
from hypothesis import given, strategies
import pytest

S = 10**9
NOW = 1_800_000_000 * S


@pytest.mark.parametrize(
    ('stamp_ns', 'now_ns', 'is_simulated', 'kind', 'words'),
    [
        (NOW, 0, True, 'no clock', 'use_sim_time is set and nothing has come on /clock'),
        (0, NOW, False, 'no stamp', 'the images carry the stamp 0'),
        (NOW + S, NOW, False, 'stamp ahead', "1 s ahead of this node's clock"),
        (NOW + S // 1000, NOW, False, 'stamp ahead', '1.0 ms ahead'),
        (100 * 3600 * S + NOW, NOW, False, 'stamp ahead', '4 days ahead'),
    ],
)
def test_what_is_no_latency_is_left_out_with_the_reason(
    stamp_ns, now_ns, is_simulated, kind, words
):
    ages = StampAge()
    age = ages.measure(stamp_ns, now_ns, is_simulated=is_simulated)
    assert age.ms is None
    assert (age.doubt.level, age.doubt.kind) == (Level.WARN, kind)
    assert words in age.doubt.text
    assert ages.left_out == 1


def test_a_latency_is_the_time_since_the_stamp():
    ages = StampAge()
    assert ages.measure(NOW - 12_500_000, NOW, is_simulated=False).ms == 12.5
    assert ages.measure(NOW - 12_500_000, NOW, is_simulated=True).doubt is None
    assert ages.left_out == 0


def test_images_from_before_a_set_back_name_it_and_those_after_are_measured():
    ages = StampAge()
    ages.measure(1000 * S, 1000 * S, is_simulated=True)
    for _ in range(2):
        age = ages.measure(1000 * S, 900 * S, is_simulated=True)
        assert age.doubt.text == 'the clock was set back by 100.0 s'
    assert ages.measure(899 * S, 900 * S, is_simulated=True).ms == 1000.0
    # what is ahead from now on was not stamped before the set-back
    assert ages.measure(901 * S, 900 * S, is_simulated=True).doubt.kind == 'stamp ahead'


def test_recorded_images_have_an_age_that_is_called_no_latency():
    age = StampAge().measure(NOW - 7 * 86400 * S, NOW, is_simulated=False)
    assert age.ms == 7 * 86400 * 1000
    assert age.doubt.level is Level.OK
    assert 'stamped 7 days ago' in age.doubt.text


@given(
    strategies.integers(-(2**31) * S, 2**33 * S), strategies.integers(0, 2**63 - 1),
    strategies.booleans(),
)  # fmt: skip
def test_no_age_is_negative(stamp_ns, now_ns, is_simulated):
    age = StampAge().measure(stamp_ns, now_ns, is_simulated=is_simulated)
    assert (age.ms is None) == (age.doubt is not None and age.doubt.level > Level.OK)
    assert age.ms is None or age.ms >= 0
