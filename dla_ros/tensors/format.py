"""Element types and layouts of tensors, in the words of trtexec and cuDLA."""

from enum import Enum

from dla_ros.errors import TensorError
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


class Layout(Enum):
    """
    Name a memory layout (NvInferRuntime.h ``TensorFormat``, trtexec ``--inputIOFormats``).

    ``linear`` is plain NCHW without padding: what ONNX Runtime uses.
    """

    LINEAR = 'linear'
    DLA_LINEAR = 'dla_linear'
    DLA_HWC4 = 'dla_hwc4'
    CHW16 = 'chw16'
    CHW32 = 'chw32'

    @property
    def is_grouped(self) -> bool:
        """Tell whether channels lie in 32-byte groups (chw16 for fp16, chw32 for int8)."""
        return self in {Layout.CHW16, Layout.CHW32}


def to_format(text: str) -> tuple[DataType, Layout]:
    """Read ``type:layout``; raise TensorError, listing what there is, for anything else."""
    type_name, _, layout_name = text.strip().partition(':')
    try:
        return DataType(type_name), Layout(layout_name)
    except ValueError:
        types = ', '.join(each.value for each in DataType)
        layouts = ', '.join(each.value for each in Layout)
        raise TensorError(
            f"format '{text}' is not TYPE:LAYOUT; types: {types}; layouts: {layouts}"
        ) from None


def format_of(data_type: DataType, layout: Layout) -> str:
    """Write a format as trtexec takes it."""
    return f'{data_type.value}:{layout.value}'
