"""Tell glibc to keep freed image memory, because giving it back costs more than the frame."""

import ctypes

# malloc.h; a 1080p rgb8 image is 6.2 MB, a 4K one 24.9 MB
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_THRESHOLD = -1, -2, -3
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
