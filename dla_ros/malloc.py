"""Tell glibc to keep freed image memory, because giving it back costs more than the frame."""

from collections.abc import Iterator, Sequence
import ctypes
from itertools import pairwise
import os
from pathlib import Path
import re

# malloc.h; a 1080p rgb8 image is 6.2 MB, a 4K one 24.9 MB
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -2, -3, -8
_MMAP_THRESHOLD = 32 << 20  # the most glibc allows on 64 bit (HEAP_MAX_SIZE / 2)
_TOP_PAD = 64 << 20
_NEVER_TRIM = 2**31 - 1
# tune_malloc:=false on a command line, tune_malloc: false in a parameter file; what YAML calls so
_NO = re.compile(r'\btune_malloc["\']?\s*:=?\s*["\']?(?:false|no|off|n)\b', re.IGNORECASE)


def tune_malloc() -> bool:
    """
    Keep memory of up to 32 MiB a block in the heap of this process; tell whether libc took it.

    By default glibc maps each block above 128 KiB afresh and unmaps it when freed, so every
    image that arrives pays a page fault for each 4 KiB: 4500 faults at 1080p. The price is that
    the process keeps its high-water mark. Returns False where libc has no ``mallopt`` (musl).
    """
    mallopt = getattr(ctypes.CDLL(None), 'mallopt', None)
    if mallopt is None:
        return False
    return bool(
        mallopt(_M_MMAP_THRESHOLD, _MMAP_THRESHOLD)
        and mallopt(_M_TRIM_THRESHOLD, _NEVER_TRIM)
        and mallopt(_M_TOP_PAD, _TOP_PAD)
    )


def limit_arenas() -> bool:
    """
    Let all threads of this process share one arena of the heap; tell whether libc took it.

    By default each new thread may get an arena of its own, up to eight for each core, and each
    keeps its own high-water mark. A detector has several threads, and new ones whenever it is
    configured: docs/decisions.md has the figures. It must come before threads start, that is
    before NumPy and rclpy are imported. MALLOC_ARENA_MAX in the environment is left in force.
    """
    mallopt = getattr(ctypes.CDLL(None), 'mallopt', None)
    if mallopt is None or 'MALLOC_ARENA_MAX' in os.environ:
        return False
    return bool(mallopt(_M_ARENA_MAX, 1))


def is_left_alone(arguments: Sequence[str]) -> bool:
    """
    Tell whether a command line, or a parameter file that it names, has ``tune_malloc`` false.

    rclpy, which would tell it node by node, may not be imported before arenas are limited. So one
    such word is enough, for whichever node of the process it is meant.
    """
    return any(_NO.search(text) for text in (*arguments, *_parameter_files(arguments)))


def _parameter_files(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the texts of the parameter files; one that cannot be read is rclpy's to refuse."""
    for word, name in pairwise(arguments):
        if word == '--params-file':
            try:
                yield re.sub('#.*', '', Path(name).read_text(errors='replace'))
            except OSError:
                continue
