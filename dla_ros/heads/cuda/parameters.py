"""What one launch of a decoding kernel is told; the bytes of ``parameters.cuh``."""

import ctypes

import numpy as np

MOST_MAPS = 12
# struct Candidate
CANDIDATE = np.dtype(
    [('xyxy', '<f4', 4), ('score', '<f4'), ('class_id', '<i4'), ('order', '<i4'), ('_', '<i4')]
)


class TensorParameters(ctypes.Structure):
    """Mirror ``struct Tensor``; the meaning of each field stands there."""

    _fields_ = (
        ('data', ctypes.c_uint64),
        ('cell_outer', ctypes.c_uint64),
        ('value_outer', ctypes.c_uint64),
        ('cell_inner', ctypes.c_int32),
        ('cell_columns', ctypes.c_int32),
        ('value_inner', ctypes.c_int32),
        ('value_shift', ctypes.c_int32),
        ('element', ctypes.c_int32),
        ('scale', ctypes.c_float),
    )


class MapParameters(ctypes.Structure):
    """Mirror ``struct Map``."""

    _fields_ = (
        ('boxes', TensorParameters),
        ('classes', TensorParameters),
        ('third', TensorParameters),
        ('first_box', ctypes.c_int32),
        ('first_class', ctypes.c_int32),
        ('first_cell', ctypes.c_int32),
        ('cells', ctypes.c_int32),
        ('columns', ctypes.c_int32),
        ('stride', ctypes.c_float),
        ('numbers', ctypes.c_float * 2),
        ('first_order', ctypes.c_int32),
        ('unused', ctypes.c_int32),
    )


class DecodeParameters(ctypes.Structure):
    """Mirror ``struct Parameters``."""

    _fields_ = (
        ('maps', MapParameters * MOST_MAPS),
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
        ('table', ctypes.c_uint64),
        ('numbers', ctypes.c_float * 4),
        ('switches', ctypes.c_int32 * 8),
    )
