"""YAML that would unfold, nest, or break what reads it: refused with the line, at little cost."""

import datetime
import tracemalloc

from dla_ros.files.yaml_file import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_DIGITS,
    MOST_NODES,
    parse_yaml,
    to_yaml,
    YamlError,
)
import pytest

LAUGHS = ['l0: &l0 [x, x, x, x, x, x, x, x, x, x]'] + [
    f'l{n}: &l{n} [{", ".join(10 * [f"*l{n - 1}"])}]' for n in range(1, 9)
]


def refusal(text):
    with pytest.raises(YamlError) as caught:
        parse_yaml(text)
    assert '\n' not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize('last', ['', '? *l8\n: 1', 'options: {reg_max: *l8}', '<<: *l8'])
def test_aliases_that_unfold_to_gigabytes_cost_next_to_nothing(last):
    text = '\n'.join([*LAUGHS, last])
    tracemalloc.start()
    try:
        assert f'line 5: more than {MOST_NODES} values' in refusal(text)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_merges_that_unfold_are_refused():
    lines = ['m0: &m0 {a: 1}'] + [
        f'm{n}: &m{n} {{<<: [{", ".join(8 * [f"*m{n - 1}"])}]}}' for n in range(1, 9)
    ]
    assert f'more than {MOST_NODES} values' in refusal('\n'.join(lines))


def test_as_many_values_as_allowed_are_read_and_not_one_more():
    items = '\n- x'
    # the list is a value, too
    assert len(parse_yaml((MOST_NODES - 1) * items).data) == MOST_NODES - 1
    assert f'line {MOST_NODES + 1}: more than {MOST_NODES}' in refusal(MOST_NODES * items)


@pytest.mark.parametrize('pair', ['[]', '{}'])
def test_as_deep_as_allowed_is_read_and_not_one_deeper(pair):
    begin = '[' if pair == '[]' else '{a: '
    inside = 'x'
    parse_yaml((MOST_DEPTH - 1) * begin + inside + (MOST_DEPTH - 1) * pair[1])
    assert f'more than {MOST_DEPTH} lists' in refusal(
        MOST_DEPTH * begin + inside + MOST_DEPTH * pair[1]
    )
    assert f'more than {MOST_DEPTH} lists' in refusal(100_000 * begin)


def test_depth_counts_what_an_alias_stands_for():
    chain = ['a0: &a0 [x]'] + [f'a{n}: &a{n} [*a{n - 1}]' for n in range(1, 2000)]
    parse_yaml('\n'.join(chain[: MOST_DEPTH - 2]))
    assert f'more than {MOST_DEPTH} lists' in refusal('\n'.join(chain))


def test_an_alias_to_itself_is_refused():
    assert 'an alias stands within what it stands for' in refusal('a: &a [1, *a]')
    assert 'an alias stands within what it stands for' in refusal('&a {b: *a}')


def test_as_large_a_text_as_allowed_is_read_and_not_one_larger():
    assert parse_yaml('#' * MOST_BYTES).data is None
    assert f'it has {MOST_BYTES + 1} characters' in refusal('#' * (MOST_BYTES + 1))


@pytest.mark.parametrize('number', ['{}', '-{}', '{}.5', '{}:1', '0x{}'])
def test_numbers_of_hundreds_of_digits_are_refused(number):
    assert 'a number of' in refusal('a: ' + number.format(400 * '9'))
    assert 'a number of' in refusal('a: ' + number.format(100_000 * '9'))


def test_as_long_a_number_as_allowed_is_read_and_not_one_longer():
    assert parse_yaml(MOST_DIGITS * '9').data == 10**MOST_DIGITS - 1
    assert f'a number of {MOST_DIGITS + 1} characters' in refusal((MOST_DIGITS + 1) * '9')


@pytest.mark.parametrize(
    ('text', 'words'),
    [
        ('a: !!bool x', "line 1: 'x' is no bool"),
        ('\na: !!int ""', "line 2: '' is no int"),
        ('a: !!int x', "'x' is no int"),
        ('a: !!float x', "'x' is no float"),
        ('a: !!timestamp x', "'x' is no timestamp"),
        ('a: 2024-13-45', "'2024-13-45' is no timestamp"),
        ('a: !!python/object/apply:os.system [ls]', 'could not determine a constructor'),
        ('a: !mine x', 'could not determine a constructor'),
        ('!!bool [x]', 'expected a scalar node'),
        ('a: !!int {b: 1}', 'expected a scalar node'),
        ('a: !!set [x]', 'expected a mapping node'),
    ],
)
def test_a_tag_that_does_not_fit_is_told_with_its_line(text, words):
    assert words in refusal(text)


@pytest.mark.parametrize(
    ('text', 'words'),
    [
        ('? [a, b]\n: 1', 'line 1: a sequence cannot be a key'),
        ('a: 1\nb: {c: 2, c: 3}', "line 2: 'b.c' stands twice, see line 2"),
        ('a: 1\nb: [1', 'line 2: while parsing a flow sequence'),
        ('a: *b', "line 1: found undefined alias 'b'"),
        ('a: 1\n--- \nb: 2', 'but found another document'),
        ('a: "\\ud800"', 'line 1: half of a character'),
        ('"\\udfff": 1', 'line 1: half of a character'),
        ('a: \0', 'special characters are not allowed'),
    ],
)
def test_what_is_not_yaml_is_told_with_its_line(text, words):
    assert words in refusal(text)


def test_plain_yaml_comes_with_the_line_of_each_key():
    found = parse_yaml('a: &a {b: [1, 2.5, true, null, x]}\nc: *a\nd: 2024-01-02\n')
    inner = {'b': [1, 2.5, True, None, 'x']}
    assert found.data == {'a': inner, 'c': inner, 'd': datetime.date(2024, 1, 2)}
    assert found.lines == {('a',): 1, ('a', 'b'): 1, ('c',): 2, ('d',): 3}
    assert parse_yaml('').data is None


def test_what_is_written_is_read_back():
    data = {'b': 1, 'a': ['x', {'c': 0.5}]}
    assert parse_yaml(to_yaml(data, 99)).data == data
    with pytest.raises(YamlError, match='cannot represent an object'):
        to_yaml({'a': object()}, 99)
