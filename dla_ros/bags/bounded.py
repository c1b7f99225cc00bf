"""
Bounds on what a compressed bag unfolds to, put in where its library unfolds.

rosbags decompresses whatever a bag holds, at once: 65 kB of zstd became 4.2 GB of memory. It has
no bound to set, so its own names for decompressing are replaced.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
import os
from types import SimpleNamespace
from typing import Any

from dla_ros.errors import BagError

ALWAYS = 1 << 27  # bytes that anything may unfold to; an image of 33 million pixels has 100 MB
MOST_FOLD = 100  # times the compressed bytes, for a message and a chunk
MOST_FILE_FOLD = 1000  # for a file, which goes to the disk
_PIECE = 1 << 20


class UnfoldedError(Exception):
    """Say that something of a bag unfolds beyond its bound."""

    remedy = 'if it is meant to, let ros2 bag convert write it without compression'


def bind(reader: Any, mcap: Any) -> None:
    """
    Put the bounds into rosbags' modules; doing it again changes nothing.

    Raise BagError for a release that unfolds in another way: nothing would be bounded.
    """
    zstd = getattr(reader, 'zstd', None)
    if zstd is None or not hasattr(mcap, 'DECOMPRESSORS') or _is_other(zstd):
        raise BagError(
            'this release of rosbags unfolds bags in a way that is not known here; pip install '
            "'rosbags>=0.11.7,<0.12'"
        )
    if not isinstance(zstd, SimpleNamespace):
        reader.zstd = SimpleNamespace(
            open=partial(_opened, zstd), decompress=partial(_message, zstd)
        )
        mcap.DECOMPRESSORS.update(zstd=partial(_chunk, _zstd(zstd)), lz4=partial(_chunk, _lz4))


def _is_other(zstd: Any) -> bool:
    is_ours = isinstance(zstd, SimpleNamespace)
    return not is_ours and zstd.__name__ not in {'compression.zstd', 'backports.zstd'}


def bound(nbytes: int, fold: int) -> int:
    """Return how many bytes so many may unfold to."""
    return max(ALWAYS, fold * nbytes)


def _message(zstd: Any, data: bytes) -> bytes:
    return _unfold(_zstd(zstd), data, bound(len(data), MOST_FOLD))


def _chunk(make: Any, data: bytes, size: int) -> bytes:
    most = bound(len(data), MOST_FOLD)
    if size > most:
        raise UnfoldedError(_explain('a chunk', len(data), most))
    return _unfold(make, data, size)


def _zstd(zstd: Any) -> Any:
    return zstd.ZstdDecompressor


def _lz4() -> Any:
    from lz4.frame import LZ4FrameDecompressor

    return LZ4FrameDecompressor()


def _unfold(make: Any, data: bytes, most: int) -> bytes:
    """Decompress frame after frame; what comes out is one byte more than allowed at most."""
    whole = bytearray()
    rest = data
    while rest:
        frame = make()
        whole += frame.decompress(rest, max_length=most + 1 - len(whole))
        if len(whole) > most:
            raise UnfoldedError(_explain('a message or chunk', len(data), most))
        if not frame.eof:
            raise EOFError('compressed data ends before its end mark')
        rest = frame.unused_data or b''
    return bytes(whole)


@contextmanager
def _opened(zstd: Any, file: Any, mode: str) -> Iterator['_Counted']:
    size = os.fstat(file.fileno()).st_size
    with zstd.open(file, mode) as inner:
        yield _Counted(inner, size)


class _Counted:
    """Be read in pieces, up to the bound."""

    def __init__(self, inner: Any, size: int) -> None:
        self._inner = inner
        self._size = size
        self._left = bound(size, MOST_FILE_FOLD)

    def read(self, _: int = -1) -> bytes:
        piece: bytes = self._inner.read(_PIECE)
        self._left -= len(piece)
        if self._left < 0:
            most = bound(self._size, MOST_FILE_FOLD)
            raise UnfoldedError(_explain('a file', self._size, most))
        return piece


def _explain(what: str, size: int, most: int) -> str:
    return f'{what} of {size} compressed bytes unfolds to more than {most}'
