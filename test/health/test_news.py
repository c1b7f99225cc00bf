"""Each trouble is a line in the log when it appears, and not each second."""

from dla_ros.health.finding import Finding, Level
from dla_ros.health.news import News
import pytest


@pytest.fixture
def news():
    news = News(clock=lambda: news.now_s)
    news.now_s = 0.0
    return news


def finding(kind, text='once'):
    return Finding(Level.WARN, kind, text)


def test_what_stays_is_told_once_though_its_figures_change(news):
    assert len(news.of([finding('loss', '7 of 9')])) == 1
    assert not news.of([finding('loss', '8 of 9')])


def test_what_comes_and_goes_is_told_once_a_minute(news):
    told = 0
    for second in range(180):
        news.now_s = float(second)
        told += len(news.of([finding('loss')] if second % 2 else []))
    assert told == 3


def test_another_trouble_is_told_beside_one_that_stays(news):
    news.of([finding('loss')])
    assert [row.kind for row in news.of([finding('loss'), finding('slow')])] == ['slow']
