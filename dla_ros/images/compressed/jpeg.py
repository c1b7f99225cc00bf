"""
Looking through a JPEG before it is decoded: its size, and whether its scans can be there.

A decoder takes memory for all pixels that the header names and fills what is missing with grey, so
a few hundred bytes can cost gigabytes. Source: ITU-T T.81, annexes B (markers), F and G (codes).
"""

from collections.abc import Iterator
from dataclasses import dataclass
import re
import struct

from dla_ros.images.compressed.flaw import check_pixels, FlawError

START = b'\xff\xd8\xff'

# What ends a scan: ff, and not the zero behind a pixel's ff, a restart or a filling ff.
_MARKER = re.compile(rb'\xff([\x01-\xcf\xd8-\xfe])', re.DOTALL)
_SCAN, _END, _ALONE = 0xDA, 0xD9, (0x01, 0xD8, 0xD9)
_FRAMES = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_PROGRESSIVE = {0xC2, 0xC6, 0xCA, 0xCE}
_FIRST_ARITHMETIC = 0xC9
_WITH_LENGTH = {0xC4, 0xCC, _SCAN, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), 0xFE, *_FRAMES}

_BLOCK = 8  # pixels of a block's side
_MOST_SAMPLING = 4
_COLOURS = {1, 3, 4}
# All scans together may go so many times over the whole picture: a progressive one of three full
# colours, as libjpeg writes it, takes 14.
PASSES = 16


@dataclass(frozen=True)
class _Frame:
    """Hold what a picture's header says; ``sampling`` maps a colour's number to (across, down)."""

    kind: int
    height: int
    width: int
    sampling: dict[int, tuple[int, int]]

    @property
    def whole(self) -> int:
        """Count the blocks of a colour sampled in full, up to the edge of the last unit."""
        across, down = self._most_sampling
        return self._units * across * down

    def blocks(self, colours: tuple[int, ...]) -> int:
        """Count the blocks of a scan: of one colour, or of several interleaved."""
        across, down = self._most_sampling
        if len(colours) > 1:
            return self._units * sum(h * v for h, v in (self.sampling[each] for each in colours))
        h, v = self.sampling[colours[0]]
        height, width = _up(self.height * v, down), _up(self.width * h, across)
        return _up(height, _BLOCK) * _up(width, _BLOCK)

    @property
    def _most_sampling(self) -> tuple[int, int]:
        across, down = (max(each) for each in zip(*self.sampling.values(), strict=True))
        return across, down

    @property
    def _units(self) -> int:
        across, down = self._most_sampling
        return _up(self.height, _BLOCK * down) * _up(self.width, _BLOCK * across)


@dataclass(frozen=True)
class _Scan:
    """Hold one scan's colours, its first coefficient, and where its pixels start."""

    colours: tuple[int, ...]
    first: int
    pixels_at: int


def check_jpeg(content: bytes, max_pixels: int) -> None:
    """
    Raise FlawError for a JPEG that is larger than ``max_pixels``, is cut off or is none.

    A scan has at least one bit for each of its blocks, two where it is the only one, so pixels
    that are not there are found without decoding; and what is decoded stays in relation to the
    bytes.
    """
    frame: _Frame | None = None
    scan: _Scan | None = None
    begun: set[int] = set()
    work = 0
    for marker, place, segment in _segments(content):
        if frame is not None and scan is not None:
            work += _check_scan(frame, scan, place - scan.pixels_at)
            if work > PASSES * frame.whole:
                raise FlawError(
                    f'is broken: its scans go over its pixels more than {PASSES} times'
                )
            begun.update(scan.colours if scan.first == 0 else ())
            scan = None
        if marker in _FRAMES:
            frame = frame or _read_frame(marker, segment)
            check_pixels(frame.height, frame.width, max_pixels)
        elif marker == _SCAN:
            scan = _read_scan(frame, segment, place + 4 + len(segment))
        elif marker == _END:
            if frame is None or set(frame.sampling) - begun:
                raise FlawError('is cut off: it ends before the pixels of all its colours')
            return
    raise FlawError('is cut off: its end mark is missing')


def _segments(content: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield each marker, where it stands, and what belongs to it."""
    place = len(START) - 1
    while (found := _MARKER.search(content, place)) is not None:
        marker, at = content[found.end() - 1], found.start()
        place = at + 2
        if marker in _ALONE:
            yield marker, at, b''
            continue
        if marker not in _WITH_LENGTH:
            raise FlawError(
                f'is broken: byte {at} is the mark ff {marker:02x}, which no picture has'
            )
        length = int.from_bytes(content[place : place + 2], 'big')
        if length < 2 or place + length > len(content):
            raise FlawError(f'is cut off: {length} bytes should follow byte {place}')
        yield marker, at, content[place + 2 : place + length]
        place += length


def _read_frame(kind: int, segment: bytes) -> _Frame:
    try:
        _, height, width, count = struct.unpack_from('>BHHB', segment)
        parts = [struct.unpack_from('BBB', segment, 6 + 3 * each) for each in range(count)]
    except struct.error:
        raise FlawError('is broken: its header is too short') from None
    sampling = {number: (both >> 4, both & 15) for number, both, _ in parts}
    sides = [side for each in sampling.values() for side in each]
    if len(sampling) not in _COLOURS or count != len(sampling):
        raise FlawError(f'is broken: it has {count} colours')
    if not all(1 <= side <= _MOST_SAMPLING for side in sides):
        raise FlawError(f'is broken: a colour is sampled {min(sides)} to {max(sides)} times')
    return _Frame(kind, height, width, sampling)


def _read_scan(frame: _Frame | None, segment: bytes, pixels_at: int) -> _Scan:
    count = segment[0] if segment else 0
    colours = tuple(segment[1 : 1 + 2 * count : 2])
    is_sound = frame is not None and colours and set(colours) <= set(frame.sampling)
    if not is_sound or len(segment) != 4 + 2 * count:
        raise FlawError('is broken: a scan names no colours, or such as the picture does not have')
    return _Scan(colours, segment[-3], pixels_at)


def _check_scan(frame: _Frame, scan: _Scan, nbytes: int) -> int:
    """Return the blocks that a scan goes over; raise FlawError where its bytes are too few."""
    blocks = frame.blocks(scan.colours)
    bits = 2 if frame.kind not in _PROGRESSIVE else 1 if scan.first == 0 else 0
    if frame.kind >= _FIRST_ARITHMETIC:
        bits = 0  # a fraction of one may do
    needed = max(_up(blocks * bits, 8), 1)
    if nbytes < needed:
        raise FlawError(
            f'is cut off: a scan has {nbytes} bytes, its {blocks} blocks take {needed} or more'
        )
    return blocks


def _up(number: int, unit: int) -> int:
    return -(-number // unit)
