"""Errors keep their type and their parts, wherever they are carried."""

import copy
import pickle

from dla_ros.errors import again, DlaError, EngineHangError, HeadError, reworded
import pytest

ERRORS = {
    'a cuDLA status': DlaError('no', call='submit_task', status=7, name='UMD', meaning='refused'),
    'a hang': EngineHangError('no', waited_s=2.5, doing='running the network'),
    'a sentence': HeadError('no'),
}


@pytest.fixture(params=ERRORS)
def error(request):
    return ERRORS[request.param]


def same(one, other):
    return type(one) is type(other) and vars(one) == vars(other) and one.details == other.details


@pytest.mark.parametrize(
    'carry', [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error)), again]
)
def test_an_error_that_is_carried_over_is_the_same(error, carry):
    carried = carry(error)
    assert carried is not error
    assert same(carried, error)
    assert str(carried) == 'no'


def test_an_error_raised_again_tells_the_first_and_has_no_traceback_of_it():
    with pytest.raises(HeadError) as caught:
        raise HeadError('no')
    twin = again(caught.value)
    assert twin.__traceback__ is None
    assert twin.__cause__ is caught.value


def test_an_error_can_say_more_and_stay_what_it_is(error):
    longer = reworded(error, 'DLA core 0: no')
    assert str(longer) == 'DLA core 0: no'
    assert same(longer, error)
    assert str(error) == 'no'
