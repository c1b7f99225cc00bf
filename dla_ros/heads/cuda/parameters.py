"""What one launch of a decoding kernel is told; the bytes of ``parameters.cuh``."""

import ctypes

import numpy as np

MOST_SCALES = 4
# struct Candidate
CANDIDATE = np.dtype(
    [('xyxy', '<f4', 4), ('score', '<f4'), ('class_id', '<i4'), ('order', '<i4'), ('_', '<i4')]
)


class Tensor(ctypes.Structure):
    """Mirror ``struct Tensor``; the meaning of each field stands there."""

    _fields_ = (
        ('data', ctypes.c_uint64),
        ('plane_stride', ctypes.c_uint64),
        ('line_stride', ctypes.c_int32),
        ('pixel_stride', ctypes.c_int32),
        ('group', ctypes.c_int32),
        ('element', ctypes.c_int32),
        ('columns', ctypes.c_int32),
        ('is_transposed', ctypes.c_int32),
        ('scale', ctypes.c_float),
        ('unused', ctypes.c_int32),
    )


class Scale(ctypes.Structure):
    """Mirror ``struct Scale``."""

    _fields_ = (
        ('boxes', Tensor),
        ('classes', Tensor),
        ('first_box', ctypes.c_int32),
        ('first_class', ctypes.c_int32),
        ('first_cell', ctypes.c_int32),
        ('cells', ctypes.c_int32),
        ('columns', ctypes.c_int32),
        ('stride', ctypes.c_float),
        ('first_order', ctypes.c_int32),
        ('unused', ctypes.c_int32),
    )


class Parameters(ctypes.Structure):
    """Mirror ``struct Parameters``."""

    _fields_ = (
        ('scales', Scale * MOST_SCALES),
        ('found', ctypes.c_uint64),
        ('count', ctypes.c_uint64),
        ('capacity', ctypes.c_int32),
        ('classes', ctypes.c_int32),
        ('bins', ctypes.c_int32),
        ('is_sigmoid', ctypes.c_int32),
        ('offset', ctypes.c_float),
        ('threshold', ctypes.c_float),
        ('confidence', ctypes.c_float),
        ('unused', ctypes.c_int32),
    )
