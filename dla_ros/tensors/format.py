"""Tensor formats as trtexec spells them: ``fp16:chw16``."""

from dla_ros.errors import TensorError
from dla_ros.tensors.data_type import DataType
from dla_ros.tensors.layout import Layout


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
