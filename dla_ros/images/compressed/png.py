"""
Looking through a PNG before it is decoded: its size, and whether its chunks are there.

A decoder takes the memory that the header and the lengths of chunks claim; and it unfolds texts
and profiles that nobody looks at. Source: ISO/IEC 15948 (PNG), RFC 1951 (deflate).
"""

from collections.abc import Iterator
import struct
from zlib import crc32

from dla_ros.images.compressed.flaw import check_pixels, FlawError

START = b'\x89PNG\r\n\x1a\n'

_HEADER, _DATA, _END = b'IHDR', b'IDAT', b'IEND'
# What pixels are made of; colour profiles, texts, times and further pictures are left out.
_NEEDED = {_HEADER, b'PLTE', b'tRNS', _DATA, _END}
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {1, 2, 4, 8, 16}
_MOST_UNFOLDED = 1032  # bytes that one byte of deflate can become
_FRAME = 12  # length, name and checksum of a chunk


def to_pixel_chunks(content: bytes, max_pixels: int) -> bytes:
    """
    Return the PNG with no more in it than its pixels need, mostly the very same bytes.

    Raise FlawError for one that is larger than ``max_pixels``, is cut off or is none.
    """
    needed = [START]
    pixel_bytes = packed = 0
    for name, start, length in _chunks(content):
        if not pixel_bytes:
            pixel_bytes = _read_header(name, content[start : start + length], max_pixels)
        packed += length if name == _DATA else 0
        if name in _NEEDED:
            _check_sum(content, start, length)
            needed.append(content[start - 8 : start + length + 4])
    if packed * _MOST_UNFOLDED < pixel_bytes:
        raise FlawError(f'is cut off: {packed} bytes cannot hold {pixel_bytes} bytes of pixels')
    is_lean = sum(map(len, needed)) == len(content)
    return content if is_lean else b''.join(needed)


def _chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield each chunk's name, where its data starts, and how long it is, up to the end mark."""
    place = len(START)
    while len(content) - place >= _FRAME:
        length, name = struct.unpack_from('>I4s', content, place)
        if length > len(content) - place - _FRAME:
            raise FlawError(
                f'is cut off: its chunk {name.decode("ascii", "replace")!r} has {length} bytes, '
                f'{len(content) - place - _FRAME} are there'
            )
        yield name, place + 8, length
        if name == _END:
            return
        place += _FRAME + length
    raise FlawError('is cut off: its end mark is missing')


def _check_sum(content: bytes, start: int, length: int) -> None:
    """Raise FlawError for wrong bits: libpng would tell of them on stderr, with every picture."""
    name = content[start - 4 : start].decode()
    (wanted,) = struct.unpack_from('>I', content, start + length)
    if crc32(memoryview(content)[start - 4 : start + length]) != wanted:
        raise FlawError(f'is broken: the bits of its chunk {name} are not those that were written')


def _read_header(name: bytes, data: bytes, max_pixels: int) -> int:
    """Return the bytes that the pixels take unfolded."""
    if name != _HEADER or len(data) != 13:
        raise FlawError('is broken: it does not start with its header')
    width, height, depth, colour = struct.unpack_from('>IIBB', data)
    if colour not in _CHANNELS or depth not in _DEPTHS:
        raise FlawError(f'is broken: it has {depth} bits of colour type {colour}')
    check_pixels(height, width, max_pixels)
    return int(height * width * _CHANNELS[colour] * depth + 7) // 8
