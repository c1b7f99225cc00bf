"""Loadables whose entries share a name: no more unfolds than lies in the file."""

import struct
import tracemalloc

from dla_ros.errors import LoadableError
from dla_ros.loadable.loadable import Loadable
from dla_ros.loadable.schema import BLOB_NAME, ROOT_BLOBS, ROOT_FIELDS
from dla_ros.loadable.table import LONGEST_NAME, MOST_ENTRIES
import pytest


class File:
    """Lay parts of a FlatBuffer one behind the other."""

    def __init__(self):
        self.data = bytearray(8)
        self.data[4:8] = b'NVDA'

    def put(self, content):
        self.data.extend(bytes(-len(self.data) % 4))
        place = len(self.data)
        self.data.extend(content)
        return place

    def point(self, place, target):
        struct.pack_into('<I', self.data, place, target - place)

    def table(self, fields, field):
        """Put a table of one field, an offset that is still to be set; give the place of both."""
        offsets = [4 if each == field else 0 for each in range(fields)]
        head = self.put(struct.pack(f'<HH{fields}H', 4 + 2 * fields, 8, *offsets))
        place = self.put(bytes(8))
        struct.pack_into('<i', self.data, place, place - head)
        return place, place + 4


def with_blobs(entries, place_name):
    """Make a loadable of blobs; ``place_name(file)`` gives where the name of each lies."""
    file = File()
    root, blobs = file.table(ROOT_FIELDS, ROOT_BLOBS)
    struct.pack_into('<I', file.data, 0, root)
    list_at = file.put(struct.pack('<I', entries) + bytes(4 * entries))
    file.point(blobs, list_at)
    tables = {}
    names = place_name(file, entries)
    for number in range(entries):
        name = names[number % len(names)]
        if name not in tables:
            tables[name] = file.table(1, BLOB_NAME)
        file.point(list_at + 4 + 4 * number, tables[name][0])
    shift = file.put(b'')
    moved = names_behind(file, names, tables, shift)
    return bytes(moved)


def names_behind(file, names, tables, shift):
    """Put the names behind the tables, since offsets only lead forward."""
    contents = bytearray()
    places = {}
    for name in names:
        places[name] = shift + name if isinstance(name, int) else None
    contents.extend(file.names)
    file.data.extend(contents)
    for name, (_, field) in tables.items():
        file.point(field, places[name])
    return file.data


def one_name(length):
    def place(file, entries):
        file.names = struct.pack('<I', length) + b'n' * length + b'\0'
        return [0]

    return place


def nested_names(file, entries):
    """Give names of 1024 bytes, each of which begins four bytes within the one before."""
    file.names = struct.pack('<I', 1024) * (entries + 256)
    return [4 * number for number in range(entries)]


def peak_of(content, words):
    tracemalloc.start()
    try:
        with pytest.raises(LoadableError, match=words):
            Loadable.read(content)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_name_shared_by_as_many_entries_as_there_may_be_is_kept_once():
    content = with_blobs(MOST_ENTRIES, one_name(LONGEST_NAME))
    assert peak_of(content, 'names no input') < 150 * len(content)


def test_one_entry_more_is_refused_before_anything_is_made_of_them():
    content = with_blobs(MOST_ENTRIES + 1, one_name(LONGEST_NAME))
    peak = peak_of(content, rf'a list has {MOST_ENTRIES + 1} entries')
    assert peak < 1_000_000


def test_a_name_of_one_byte_more_than_allowed_is_refused():
    peak_of(with_blobs(1, one_name(LONGEST_NAME)), 'names no input')
    peak_of(with_blobs(1, one_name(LONGEST_NAME + 1)), f'a name is {LONGEST_NAME + 1} bytes')


def test_names_within_each_other_unfold_to_no_more_than_the_file():
    content = with_blobs(20_000, nested_names)
    assert peak_of(content, 'its names lie within each other') < 30 * len(content)
