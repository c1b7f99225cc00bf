"""Errors keep their type and their parts, wherever they are carried."""

import copy
import pickle

from dla_ros.errors import (
    again,
    DlaError,
    EngineError,
    EngineHangError,
    HeadError,
    reworded,
    with_lines,
)
from dla_ros.one_line import MOST_CHARACTERS, one_line
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


@pytest.mark.parametrize(
    ('stranger', 'shown'),
    [
        ('rgb8\n[INFO] [1.0] [node]: all is well', r'rgb8\n[INFO] [1.0] [node]: all is well'),
        ('\x1b[2Jrgb8\r', r'\x1b[2Jrgb8\r'),
        ('a\ud800b\udcff', r'a\ud800b\udcff'),
        ('a\u202eb\x7f', r'a\u202eb\x7f'),
        ('Größe 大', 'Größe 大'),
        (r'C:\new', r'C:\new'),
    ],
)
def test_the_text_of_a_stranger_is_one_plain_line(stranger, shown):
    error = HeadError(f"head '{stranger}' is not known")
    assert str(error) == f"head '{shown}' is not known"
    assert str(again(error)) == str(error)
    assert str(error).encode()


def test_a_long_text_of_a_stranger_is_cut_and_what_to_do_stays():
    text = str(HeadError(f"head '{300_000 * 'x'}' is not known; use yolox"))
    assert len(text) < MOST_CHARACTERS + 100
    assert text.startswith("head 'xxx")
    assert text.endswith('is not known; use yolox')
    assert 'characters, cut here' in text


def test_a_long_text_of_odd_characters_is_cut_after_it_has_grown():
    assert len(str(HeadError(300_000 * '\U000f0000'))) < MOST_CHARACTERS + 100


def test_a_text_of_just_the_most_characters_is_not_cut():
    assert one_line('x' * 50 + 'y', 51) == 'x' * 50 + 'y'
    assert one_line('x' * 47 + '\x07', 51) == 'x' * 47 + r'\x07'
    assert '(52 characters, cut here)' in one_line('x' * 52, 51)
    assert '(50 characters, cut here)' in one_line('x' * 49 + '\x07', 51)


def test_lines_of_a_compiler_stand_below_the_sentence_and_stay_with_the_error():
    error = with_lines(EngineError('it does not compile:'), 'a.c:1: no\x07\na.c:2: no\n')
    assert str(error) == 'it does not compile:\na.c:1: no\\x07\na.c:2: no'
    assert str(again(error)) == str(error)
    assert len(str(with_lines(EngineError('no'), 300_000 * 'x\n'))) < 2 * MOST_CHARACTERS
