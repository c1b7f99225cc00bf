"""
Reading FlatBuffer tables without trusting them.

The ``flatbuffers`` package follows every offset blindly; a file from a robot's disk may be cut or
overwritten. Format: https://flatbuffers.dev/internals
"""

import struct

LONGEST_NAME = 4096  # bytes
MOST_ENTRIES = 1 << 16  # of one list; the schema numbers tensors with 16 bits


class BrokenTableError(ValueError):
    """Say that an offset or a length in a FlatBuffer leads out of the file."""


class Names:
    """
    Unfold the names of a file, each place once, and no more bytes than the file has.

    Thousands of entries may point to one name, which is kept once, or into each other's, which
    nobody's writer does.
    """

    def __init__(self, data: memoryview) -> None:
        """Start with nothing unfolded."""
        self._data = data
        self._left = len(data)
        self._known: dict[tuple[int, int], str] = {}

    def text(self, start: int, length: int) -> str:
        """Return the name that lies there; raise BrokenTableError for one that is no name."""
        known = self._known.get((start, length))
        if known is not None:
            return known
        self._left -= length
        if length > LONGEST_NAME or self._left < 0:
            raise BrokenTableError(
                f'a name is {length} bytes long'
                if length > LONGEST_NAME
                else 'its names lie within each other'
            )
        try:
            text = str(self._data[start : start + length], 'utf-8')
        except UnicodeDecodeError:
            raise BrokenTableError('a name is not UTF-8 text') from None
        self._known[start, length] = text
        return text


class Table:
    """Read one table; fields are numbered from 0 in the order of the schema."""

    def __init__(self, data: memoryview, position: int, names: Names) -> None:
        """Look at the table at ``position``; raise BrokenTableError if there is none."""
        self._data = data
        self._names = names
        self._position = position
        self._vtable = position - self._int('i', position)
        self._fields = (self._int('H', self._vtable) - 4) // 2
        if self._fields < 0:
            raise BrokenTableError(f'the table at byte {position} has no valid header')

    @classmethod
    def root(cls, data: memoryview) -> 'Table':
        """Open the outermost table of a file."""
        return cls(data, _unpack(data, 'I', 0), Names(data))

    def number(self, field: int, code: str) -> int:
        """Give an integer field by its :mod:`struct` code; 0 where the file leaves it out."""
        place = self._place(field)
        return 0 if place is None else self._int(code, place)

    def octets(self, field: int, count: int) -> tuple[int, ...]:
        """Give the bytes of a struct stored in place; zeros where it is left out."""
        place = self._place(field)
        if place is None:
            return (0,) * count
        return tuple(self._int('B', place + index) for index in range(count))

    def text(self, field: int) -> str:
        """Give a string field, which is always a name; '' where it is left out."""
        return self._names.text(*self._vector(field, 1))

    def raw(self, field: int) -> memoryview:
        """Give the bytes of a string or of a vector of bytes, without a copy."""
        start, length = self._vector(field, 1)
        return self._data[start : start + length]

    def tables(self, field: int) -> list['Table']:
        """Open every table of a vector of tables."""
        start, length = self._vector(field, 4)
        if length > MOST_ENTRIES:
            raise BrokenTableError(f'a list has {length} entries; {MOST_ENTRIES} are read')
        places = range(start, start + 4 * length, 4)
        return [Table(self._data, place + self._int('I', place), self._names) for place in places]

    def _vector(self, field: int, element: int) -> tuple[int, int]:
        """Give the start and the length of a vector that lies within the file."""
        place = self._place(field)
        if place is None:
            return 0, 0
        start = place + self._int('I', place)
        length = self._int('I', start)
        if start + 4 + length * element > len(self._data):
            raise BrokenTableError(
                f'a list of {length} entries at byte {start} reaches beyond the end of the file'
            )
        return start + 4, length

    def _place(self, field: int) -> int | None:
        """Give where a field lies, None where it is left out."""
        if field >= self._fields:
            return None
        offset = self._int('H', self._vtable + 4 + 2 * field)
        return self._position + offset if offset else None

    def _int(self, code: str, position: int) -> int:
        return _unpack(self._data, code, position)


def _unpack(data: memoryview, code: str, position: int) -> int:
    layout = struct.Struct('<' + code)
    if position < 0 or position + layout.size > len(data):
        raise BrokenTableError(f'byte {position} is beyond the end of the file')
    return int(layout.unpack_from(data, position)[0])
