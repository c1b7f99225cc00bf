"""What one launch of a decoding kernel is told; the bytes of ``parameters.cuh``."""

import ctypes

import numpy as np

MOST_SCALES = 12
# struct Candidate
CANDIDATE = np.dtype(
    [('xyxy', '<f4', 4), ('score', '<f4'), ('class_id', '<i4'), ('order', '<i4'), ('_', '<i4')]
)


class Tensor(ctypes.Structure):
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


class Scale(ctypes.Structure):
    """Mirror ``struct Scale``."""

    _fields_ = (
        ('boxes', Tensor),
        ('classes', Tensor),
        ('shifts', Tensor),
        ('first_box', ctypes.c_int32),
        ('first_class', ctypes.c_int32),
        ('first_cell', ctypes.c_int32),
        ('cells', ctypes.c_int32),
        ('columns', ctypes.c_int32),
        ('stride', ctypes.c_float),
        ('anchor_width', ctypes.c_float),
        ('anchor_height', ctypes.c_float),
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
        ('box_scale', ctypes.c_float),
        ('priors', ctypes.c_uint64),
        ('variances', ctypes.c_float * 4),
        ('box_order', ctypes.c_int32 * 4),
        ('has_background', ctypes.c_int32),
        ('is_softmax', ctypes.c_int32),
    )
