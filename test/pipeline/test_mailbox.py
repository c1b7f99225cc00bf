"""The mailbox: the newest of each source, each source in its turn."""

from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.mailbox import Mailbox
import pytest


def frame(source, token=None):
    return Frame(source, token, lambda: None)


def drain(mailbox):
    return [mailbox.take().token for _ in range(len(mailbox))]


def test_the_newest_frame_of_a_source_takes_the_place_of_the_older():
    mailbox, old, new = Mailbox(), frame('left'), frame('left')
    assert mailbox.put(old) is None
    assert mailbox.put(new) is old
    assert len(mailbox) == 1
    assert mailbox.take() is new
    assert len(mailbox) == 0


def test_one_source_never_takes_the_place_of_another():
    mailbox = Mailbox()
    for source in ('left', 'right', 'rear'):
        assert mailbox.put(frame(source, source)) is None
    assert drain(mailbox) == ['left', 'right', 'rear']


def test_a_newer_frame_keeps_the_turn_of_its_source():
    mailbox = Mailbox()
    for source, token in (('left', 'l1'), ('right', 'r1'), ('left', 'l2')):
        mailbox.put(frame(source, token))
    assert drain(mailbox) == ['l2', 'r1']


def test_a_fast_source_cannot_starve_a_slow_one():
    mailbox, served = Mailbox(), []
    mailbox.put(frame('slow', 'slow'))
    for number in range(4):
        mailbox.put(frame('fast', f'fast {number}'))
        mailbox.put(frame('slow', f'slow {number}'))
        served.append(mailbox.take().source)
    assert served == ['slow', 'fast', 'slow', 'fast']


def test_nothing_comes_out_of_an_empty_one():
    with pytest.raises(KeyError, match='no frame'):
        Mailbox().take()


def test_clearing_gives_back_what_waited():
    mailbox, left, right = Mailbox(), frame('left'), frame('right')
    mailbox.put(left)
    mailbox.put(right)
    assert mailbox.clear() == [left, right]
    assert len(mailbox) == 0
