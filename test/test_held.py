"""What is held is given back whatever raises, and each failure is told."""

from dla_ros.errors import EngineError, HeadError, TensorError
from dla_ros.held import Held
import pytest


def fail(error, calls=None):
    if calls is not None:
        calls.append(str(error))
    raise error


def hold(*errors):
    held = Held()
    for error in errors:
        held.callback(fail, error)
    return held


class Context:
    def __enter__(self):
        return 7

    def __exit__(self, *_):
        fail(HeadError('left'))


def test_everything_is_called_and_each_failure_told_in_turn():
    held, calls = Held(), []
    for number in range(3):
        held.callback(fail, HeadError(f'number {number}'), calls)
    with pytest.raises(EngineError) as caught:
        held.close()
    assert str(caught.value) == 'number 2; number 1; number 0'
    assert calls == ['number 2', 'number 1', 'number 0']
    held.close()


def test_a_single_failure_comes_as_it_is():
    error = HeadError('one')
    held = hold(error)
    held.callback(int)
    with pytest.raises(HeadError) as caught:
        held.close()
    assert caught.value is error


def test_what_was_on_its_way_is_told_first():
    with pytest.raises(EngineError) as caught, hold(TensorError('second')):
        fail(HeadError('first'))
    assert str(caught.value) == 'first; second'


def test_where_nothing_fails_what_is_on_its_way_goes_on():
    error = KeyError('x')
    with pytest.raises(KeyError) as caught, Held():
        fail(error)
    assert caught.value is error


def test_a_fault_of_the_program_comes_as_it_is():
    fault = ZeroDivisionError('ours')
    held = hold(HeadError('second'), fault)
    with pytest.raises(ZeroDivisionError) as caught:
        held.close()
    assert caught.value is fault


def test_stacks_within_each_other_tell_of_all_their_failures():
    inner, outer = hold(HeadError('second'), HeadError('first')), hold(HeadError('third'))
    outer.callback(inner.close)
    with pytest.raises(EngineError) as caught:
        outer.close()
    assert str(caught.value) == 'first; second; third'


def test_what_was_handed_over_is_told_by_the_new_one():
    with Held() as held:
        assert held.enter_context(Context()) == 7
        taken = held.pop_all()
    taken.callback(fail, HeadError('called'))
    with pytest.raises(EngineError) as caught:
        taken.close()
    assert str(caught.value) == 'called; left'
