"""The element types that cross the border of a network."""

from enum import Enum

import numpy as np


class DataType(Enum):
    """
    Name an element type as trtexec spells it.

    A DLA takes and gives ``fp16`` and ``int8`` only (TensorRT, "Working with DLA");
    ``fp32`` belongs to ONNX Runtime.
    """

    FP32 = 'fp32'
    FP16 = 'fp16'
    INT8 = 'int8'

    @property
    def numpy(self) -> 'np.dtype[np.generic]':
        """Give the NumPy type of one element."""
        return np.dtype({'fp32': np.float32, 'fp16': np.float16, 'int8': np.int8}[self.value])

    @property
    def itemsize(self) -> int:
        """Give the bytes of one element."""
        return self.numpy.itemsize
