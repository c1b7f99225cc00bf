"""Tell glibc to keep freed image memory, because giving it back costs more than the frame."""

import ctypes
import os

# malloc.h; a 1080p rgb8 image is 6.2 MB, a 4K one 24.9 MB
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -2, -3, -8
_MMAP_THRESHOLD = 32 << 20  # the most glibc allows on 64 bit (HEAP_MAX_SIZE / 2)
_TOP_PAD = 64 << 20
_NEVER_TRIM = 2**31 - 1


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
    keeps its own high-water mark: a container in which detectors, each with several threads,
    come and go took 390 MB where 175 MB do. It must come before threads start, that is before
    the first node. MALLOC_ARENA_MAX in the environment is left in force.
    """
    mallopt = getattr(ctypes.CDLL(None), 'mallopt', None)
    if mallopt is None or 'MALLOC_ARENA_MAX' in os.environ:
        return False
    return bool(mallopt(_M_ARENA_MAX, 1))
