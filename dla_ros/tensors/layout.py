"""The ways a tensor may lie in memory, named as TensorRT and trtexec name them."""

from enum import Enum


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
