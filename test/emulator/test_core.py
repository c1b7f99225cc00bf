from threading import Event, Thread
from time import sleep

from dla_ros.emulator import core as core_module
from dla_ros.emulator.core import Core
import pytest


class Clock:
    """Stand in for time, so that nothing has to be waited for."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        self.late = 0.0
        monkeypatch.setattr(core_module, 'monotonic', lambda: self.now)
        monkeypatch.setattr(core_module, 'sleep', self.sleep)

    def sleep(self, seconds):
        self.now += seconds + self.late


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def nothing():
    return None


def hold(core):
    """Occupy a core until the event is set."""
    running, gate = Event(), Event()

    def work():
        running.set()
        gate.wait()

    thread = Thread(target=core.run, args=(work, 0.0))
    thread.start()
    running.wait()
    return thread, gate


def queue_up(core, works, task_s):
    """Let tasks arrive one after the other at a core that is occupied."""
    threads = []
    for number, work in enumerate(works):
        threads.append(Thread(target=core.run, args=(work, task_s)))
        threads[-1].start()
        while len(core._waiting) <= number:
            sleep(0.001)
    return threads


def finish(threads):
    for thread in threads:
        thread.join()


def test_tasks_that_wait_follow_without_a_gap_even_if_threads_wake_up_late(clock):
    core = Core()
    first, gate = hold(core)
    threads = queue_up(core, [nothing] * 20, 0.005)
    clock.late = 0.001
    gate.set()
    finish([first, *threads])
    assert core.busy_s == pytest.approx(20 * 0.005)
    # Every thread woke up 1 ms late (the holder's too), yet that does not add up.
    assert clock.now == pytest.approx(100.0 + 20 * 0.005, abs=0.0021)


def test_a_core_that_was_idle_starts_with_the_arrival(clock):
    core = Core()
    core.run(nothing, 0.005)
    clock.now += 7.0
    core.run(nothing, 0.005)
    assert clock.now == pytest.approx(107.010)
    assert core.busy_s == pytest.approx(0.010)


def test_work_longer_than_the_task_keeps_the_core_busy_so_long(clock):
    core = Core()
    core.run(lambda: clock.sleep(0.030), 0.005)
    assert clock.now == pytest.approx(100.030)
    assert core.busy_s == pytest.approx(0.030)


def test_work_that_fails_frees_the_core_at_once(clock):
    core = Core()
    with pytest.raises(ZeroDivisionError):
        core.run(lambda: 1 / 0, 5.0)
    assert clock.now == 100.0
    core.run(nothing, 0.0)


def test_tasks_run_one_at_a_time_in_order_of_arrival():
    core, order = Core(), []
    first, gate = hold(core)
    threads = queue_up(core, [lambda n=n: order.append(n) for n in range(8)], 0.0)
    assert order == []
    gate.set()
    finish([first, *threads])
    assert order == list(range(8))
