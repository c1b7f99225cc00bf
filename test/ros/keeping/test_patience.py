from dla_ros.ros.patience import Patience
import pytest


class Clock:
    def __init__(self):
        self.s = 100.0

    def __call__(self):
        return self.s


@pytest.fixture
def clock():
    return Clock()


def test_each_attempt_waits_twice_as_long_as_the_one_before_and_never_long(clock):
    patience, pauses = Patience(8, clock), []
    while not patience.is_over:
        pauses.append(patience.pause_s)
        patience.spend()
    assert pauses == [0.5, 1, 2, 4, 8, 10, 10, 10]


def test_a_minute_holds_so_many_attempts_and_no_more(clock):
    patience, attempts = Patience(3, clock), []
    for _ in range(600):
        clock.s += 0.5
        if not patience.is_over:
            patience.spend()
            attempts.append(clock.s)
    assert all(sum(s <= t < s + 60 for t in attempts) <= 3 for s in attempts)
    assert len(attempts) == 15, 'three in each of five minutes'


def test_after_a_quiet_minute_all_are_there_again(clock):
    patience = Patience(2, clock)
    patience.spend()
    patience.spend()
    assert patience.is_over
    clock.s += 60
    assert (patience.spent, patience.is_over, patience.pause_s) == (0, False, 0.5)


def test_no_attempts_are_over_at_once(clock):
    assert Patience(0, clock).is_over
