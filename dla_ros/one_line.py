"""Texts of strangers as one line that a terminal and a log can show."""

MOST_CHARACTERS = 2000


def one_line(text: str, most: int = MOST_CHARACTERS) -> str:
    r"""
    Return a text with what is no plain character escaped (``\n``, ``\x1b``), cut in its middle.

    Names of files, encodings and frames come from anywhere: a line break would forge a line of a
    log, an escape sequence move a terminal's cursor, a lone surrogate raise where it is printed.
    The end stays, since that is where an error says what to do.
    """
    if len(text) <= most and (text.isprintable() or len(_escaped(text)) <= most):
        return _escaped(text)
    tail = most // 3
    head = most - tail
    begin, end = _escaped(text[:head])[:head], _escaped(text[-tail:])[-tail:]
    return f'{begin} ... ({len(text)} characters, cut here) ... {end}'


def _escaped(text: str) -> str:
    if text.isprintable():
        return text
    return ''.join(
        each if each.isprintable() else each.encode('unicode_escape').decode('ascii')
        for each in text
    )
