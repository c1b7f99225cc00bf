from dla_ros.health.recent import Recent


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self):
        self.now_s = 100.0

    def __call__(self):
        return self.now_s


def test_percentiles_are_those_of_the_last_seconds():
    clock = Clock()
    recent = Recent(length_s=10.0, clock=clock)
    recent.add(5000.0)
    clock.now_s += 10.1
    for value in range(101):
        recent.add(value)
    assert recent.percentiles() == (50.0, 99.0)
    clock.now_s += 10.1
    assert recent.percentiles() is None


def test_what_is_remembered_has_an_end():
    recent = Recent(clock=Clock())
    for value in range(10_000):
        recent.add(value)
    assert recent.percentiles()[0] > 7000
