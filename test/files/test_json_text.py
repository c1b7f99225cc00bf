"""JSON that breaks what reads it."""

from dla_ros.files.json_text import MOST_DIGITS, parse_json
import pytest


@pytest.mark.parametrize('text', [100_000 * '[', 100_000 * '{"a":', '', 'x', '{', b'\xff'])
def test_what_cannot_be_read_is_a_value_error(text):
    with pytest.raises(ValueError):
        parse_json(text)


@pytest.mark.parametrize('sign', ['', '-'])
def test_as_long_a_number_as_allowed_is_read_and_not_one_longer(sign):
    most = MOST_DIGITS - len(sign)
    assert parse_json(sign + most * '9') == int(sign + most * '9')
    for digits in (most + 1, 5000):
        with pytest.raises(ValueError, match='at most 64 are read'):
            parse_json(f'[{sign}{digits * "9"}]')
