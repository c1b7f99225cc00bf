import threading

from dla_ros.ros.worker import Worker
import pytest


def test_a_job_gives_its_result_and_its_error():
    worker = Worker('w')
    assert worker.start(lambda: 7).result(5) == 7

    def fail():
        raise LookupError('no')

    with pytest.raises(LookupError):
        worker.start(fail).result(5)


def test_a_second_job_is_refused_while_the_first_runs():
    worker, gate = Worker('w'), threading.Event()
    first = worker.start(gate.wait)
    assert worker.is_busy
    assert worker.start(lambda: 1) is None
    gate.set()
    first.result(5)
    assert worker.start(lambda: 2).result(5) == 2


def test_a_next_job_waits_for_the_running_one():
    worker, gate, order = Worker('w'), threading.Event(), []
    done = threading.Event()
    worker.start(lambda: (gate.wait(5), order.append('first')))
    worker.start_next(lambda: (order.append('second'), done.set()))
    gate.set()
    assert done.wait(5)
    assert order == ['first', 'second']


def test_close_waits_for_the_running_job_and_refuses_others():
    worker, gate = Worker('w'), threading.Event()
    worker.start(gate.wait)
    assert not worker.close(0.01)
    gate.set()
    assert worker.close(5)
    assert worker.start(lambda: 1) is None
    worker.start_next(lambda: pytest.fail('a closed worker took a job'))
