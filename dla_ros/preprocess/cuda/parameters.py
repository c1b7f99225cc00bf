"""What one launch of the fused kernel is told; the bytes of ``parameters.cuh``."""

import ctypes


class Parameters(ctypes.Structure):
    """Mirror ``struct Parameters``; the meaning of each field stands there."""

    _fields_ = (
        ('first', ctypes.c_uint64),
        ('second', ctypes.c_uint64),
        ('out', ctypes.c_uint64),
        ('tables', ctypes.c_uint64),
        ('columns', ctypes.c_uint64),
        ('rows', ctypes.c_uint64),
        ('plane_stride', ctypes.c_uint64),
        ('line_stride', ctypes.c_int32),
        ('pixel_stride', ctypes.c_int32),
        ('step', ctypes.c_int32),
        ('source_height', ctypes.c_int32),
        ('source_width', ctypes.c_int32),
        ('top', ctypes.c_int32),
        ('left', ctypes.c_int32),
        ('height', ctypes.c_int32),
        ('width', ctypes.c_int32),
        ('first_row', ctypes.c_int32),
        ('last_row', ctypes.c_int32),
        ('first_column', ctypes.c_int32),
        ('last_column', ctypes.c_int32),
        ('padding_value', ctypes.c_int32),
        ('place', ctypes.c_int32 * 3),
        ('is_blue_first', ctypes.c_int32),
        ('is_mixed', ctypes.c_int32),
    )
