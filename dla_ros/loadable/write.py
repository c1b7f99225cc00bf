"""Writing a loadable, in the container that a real one has."""

from pathlib import Path

from dla_ros.errors import LoadableError
from dla_ros.files.regular_file import write_regular
from dla_ros.loadable import schema
from dla_ros.loadable.loadable import Blob, Loadable
from dla_ros.tensors.descriptor import TensorDescriptor
import flatbuffers

LONGEST_NAME = 80  # cudla.h CUDLA_LOADABLE_TENSOR_DESC_NAME_MAX_LEN
ALIGNMENT = 4096  # what the compiler of nvdla/sw writes


def write(loadable: Loadable, path: str | Path) -> None:
    """Write a loadable to a file; raise LoadableError for what it cannot hold."""
    data = to_bytes(loadable)
    try:
        write_regular(path, data)
    except OSError as error:
        raise LoadableError(f"cannot write '{path}': {error.strerror or error}") from error


def to_bytes(loadable: Loadable) -> bytes:
    """Give the FlatBuffer of a loadable; raise LoadableError for what it cannot hold."""
    builder = flatbuffers.Builder(1024)
    inputs, outputs = loadable.input_descriptors, loadable.output_descriptors
    tensors = [*inputs, *outputs]
    for tensor in tensors:
        _check_name(tensor)
    directions = [schema.INPUT] * len(inputs) + [schema.OUTPUT] * len(outputs)
    binds = [*range(len(inputs)), *range(len(outputs))]
    vectors = {
        schema.ROOT_TENSORS: [_tensor(builder, *each) for each in enumerate(tensors)],
        schema.ROOT_MEMORY: [
            _memory(builder, number, *each)
            for number, each in enumerate(zip(tensors, directions, binds, strict=True))
        ],
        schema.ROOT_BLOBS: [_blob(builder, blob) for blob in loadable.blobs],
    }
    places = {field: _vector(builder, tables) for field, tables in vectors.items()}
    builder.StartObject(schema.ROOT_FIELDS)
    for field, place in places.items():
        builder.PrependUOffsetTRelativeSlot(field, place, 0)
    _prepend_version(builder, schema.ROOT_VERSION, loadable.version)
    builder.Finish(builder.EndObject(), schema.IDENTIFIER)
    return bytes(builder.Output())


def _tensor(builder: flatbuffers.Builder, number: int, tensor: TensorDescriptor) -> int:
    name = builder.CreateString(tensor.name)
    builder.StartObject(schema.TENSOR_FIELDS)
    builder.PrependUOffsetTRelativeSlot(schema.TENSOR_NAME, name, 0)
    builder.PrependUint16Slot(schema.TENSOR_ID, number, 0)
    builder.PrependUint16Slot(schema.TENSOR_MEMORY, number, 0)
    builder.PrependUint64Slot(schema.TENSOR_SIZE, tensor.size, 0)
    codes = (tensor.data_format, tensor.data_type, tensor.data_category, tensor.pixel_format,
             tensor.pixel_mapping)  # fmt: skip
    for field, code in enumerate(codes, schema.TENSOR_CODES):
        builder.PrependUint8Slot(field, code, 0)
    for field, size in enumerate(tensor.dims, schema.TENSOR_DIMS):
        builder.PrependInt32Slot(field, size, 0)
    for field, stride in enumerate(tensor.strides, schema.TENSOR_STRIDES):
        builder.PrependUint32Slot(field, stride, 0)
    return int(builder.EndObject())


def _memory(
    builder: flatbuffers.Builder, number: int, tensor: TensorDescriptor, direction: int, bind: int
) -> int:
    builder.StartObject(schema.MEMORY_FIELDS)
    builder.PrependUint16Slot(schema.MEMORY_ID, number, 0)
    builder.PrependUint16Slot(schema.MEMORY_FLAGS, schema.ALLOC | direction, 0)
    builder.PrependUint64Slot(schema.MEMORY_SIZE, tensor.size, 0)
    builder.PrependUint32Slot(schema.MEMORY_ALIGNMENT, ALIGNMENT, 0)
    builder.PrependUint16Slot(schema.MEMORY_BIND, bind, 0)
    builder.PrependUint16Slot(schema.MEMORY_TENSOR, number, 0)
    return int(builder.EndObject())


def _blob(builder: flatbuffers.Builder, blob: Blob) -> int:
    name = builder.CreateString(blob.name)
    data = builder.CreateByteVector(bytes(blob.data))
    builder.StartObject(schema.BLOB_FIELDS)
    builder.PrependUOffsetTRelativeSlot(schema.BLOB_NAME, name, 0)
    builder.PrependUint64Slot(schema.BLOB_SIZE, len(blob.data), 0)
    builder.PrependUOffsetTRelativeSlot(schema.BLOB_DATA, data, 0)
    return int(builder.EndObject())


def _vector(builder: flatbuffers.Builder, tables: list[int]) -> int:
    builder.StartVector(4, len(tables), 4)
    for table in reversed(tables):
        builder.PrependUOffsetTRelative(table)
    return int(builder.EndVector())


def _prepend_version(builder: flatbuffers.Builder, field: int, version: tuple[int, ...]) -> None:
    """Put the three bytes of a version in place, last first, as structs are written."""
    builder.Prep(1, len(version))
    for number in reversed(version):
        builder.PrependUint8(number)
    builder.PrependStructSlot(field, builder.Offset(), 0)


def _check_name(tensor: TensorDescriptor) -> None:
    length = len(tensor.name.encode())
    if not 0 < length <= LONGEST_NAME:
        raise LoadableError(
            f"tensor name '{tensor.name}' has {length} bytes; a loadable holds 1 to "
            f'{LONGEST_NAME}. Rename the tensor in the model'
        )
