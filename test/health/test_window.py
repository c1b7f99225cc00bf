from dla_ros.health.window import Tally, Window


def test_rates_and_loss_are_those_of_the_last_seconds():
    window = Window(length_s=10.0)
    for second in range(31):
        late = max(0, second - 10)
        window.add(second, Tally(received=30 * second, lost=10 * late, processed=15 * second))
    flow = window.flow(first_image_s=0.0)
    assert flow.span_s == 10.0
    assert (flow.rate_in, flow.rate_out, flow.loss) == (30.0, 15.0, 0.25)


def test_a_camera_that_has_just_come_is_not_slow():
    window = Window()
    window.add(0.0, Tally())
    window.add(8.0, Tally(received=30))
    assert window.flow(first_image_s=7.0).rate_in == 30.0


def test_nothing_is_said_before_there_is_a_span():
    window = Window()
    assert window.flow(0.0) is None
    window.add(1.0, Tally(received=1))
    assert window.flow(1.0) is None


def test_no_image_is_no_loss():
    window = Window()
    window.add(0.0, Tally())
    window.add(1.0, Tally())
    assert window.flow(0.0).loss == 0.0


def test_the_window_grows_no_further():
    window = Window(length_s=10.0)
    for second in range(1000):
        window.add(second, Tally())
    assert len(window._seen) == 11
