"""Reading a DLA loadable."""

from dataclasses import dataclass
from pathlib import Path

from dla_ros.errors import LoadableError, TensorError
from dla_ros.files.regular_file import read_regular
from dla_ros.loadable import schema
from dla_ros.loadable.file_kind import FileKind, HEAD_BYTES
from dla_ros.loadable.table import BrokenTableError, Table
from dla_ros.tensors.descriptor import TensorDescriptor
from dla_ros.tensors.spec import TensorSpec

Source = str | Path | bytes
MOST_BYTES = 1 << 31  # a FlatBuffer cannot be larger
BUILD_HINT = (
    'build one on the robot: trtexec --onnx=MODEL.onnx --useDLACore=0 --buildDLAStandalone '
    '--saveEngine=NAME.dla --inputIOFormats=fp16:chw16 --outputIOFormats=fp16:chw16 '
    '(for the emulator: dla_ros emulate MODEL.onnx)'
)


@dataclass(frozen=True)
class Blob:
    """Hold a named piece of data: weights and programs, or in the emulator's files a model."""

    name: str
    data: 'bytes | memoryview'


@dataclass(frozen=True)
class Loadable:
    """
    Hold what a loadable says of itself.

    Tensors stand in the order in which cuDLA binds them. ``version`` is the schema's (major,
    minor, sub). Blobs read from a file are views into its bytes.
    """

    input_descriptors: tuple[TensorDescriptor, ...]
    output_descriptors: tuple[TensorDescriptor, ...]
    blobs: tuple[Blob, ...] = ()
    version: tuple[int, ...] = schema.VERSION

    @classmethod
    def read(cls, source: Source, label: str | None = None) -> 'Loadable':
        """
        Read a file, or its bytes (then ``label`` names it in errors).

        Raise LoadableError for a file that is missing, is something else, or is broken.
        """
        data = source if isinstance(source, bytes) else read_file(Path(source))
        name = label or ('the loadable' if isinstance(source, bytes) else f"'{source}'")
        check_kind(data, name)
        try:
            return _parse(memoryview(data))
        except (BrokenTableError, TensorError) as error:
            raise LoadableError(
                f'{name} is a broken DLA loadable of {len(data)} bytes: {error}. '
                f'Copy it again, or {BUILD_HINT}'
            ) from error

    def blob(self, name: str) -> Blob | None:
        """Give the blob of that name, None where there is none."""
        return next((blob for blob in self.blobs if blob.name == name), None)

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """Say where the elements of each input lie; scales are not in the file."""
        return tuple(tensor.to_spec() for tensor in self.input_descriptors)

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Say where the elements of each output lie; scales are not in the file."""
        return tuple(tensor.to_spec() for tensor in self.output_descriptors)


def read_file(path: Path) -> bytes:
    """Read all of a network file; raise LoadableError where that is not possible."""
    try:
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        reason = error.strerror or error
        raise LoadableError(
            f"cannot read the loadable '{path}': {reason}; check engine_file_path"
        ) from error


def check_kind(data: bytes, name: str) -> None:
    """Raise LoadableError, saying what it is instead, for data without the identifier."""
    kind = FileKind.of(data[:HEAD_BYTES])
    if kind is not FileKind.LOADABLE:
        raise LoadableError(f'{name} is not a DLA loadable but {kind.words}; {BUILD_HINT}')


def _parse(data: memoryview) -> Loadable:
    root = Table.root(data)
    tensors = {
        entry.number(schema.TENSOR_ID, 'H'): _descriptor(entry)
        for entry in root.tables(schema.ROOT_TENSORS)
    }
    memory = root.tables(schema.ROOT_MEMORY)
    loadable = Loadable(
        _bound(memory, tensors, schema.INPUT),
        _bound(memory, tensors, schema.OUTPUT),
        tuple(_blob(entry) for entry in root.tables(schema.ROOT_BLOBS)),
        root.octets(schema.ROOT_VERSION, 3),
    )
    # Asking for the specs refuses what could not be bound later.
    if not loadable.inputs or not loadable.outputs:
        raise BrokenTableError('it names no input or no output')
    return loadable


def _bound(
    memory: list[Table], tensors: dict[int, TensorDescriptor], flag: int
) -> tuple[TensorDescriptor, ...]:
    """Give the tensors that lie in memory of one direction, in the order of binding."""
    entries = [entry for entry in memory if entry.number(schema.MEMORY_FLAGS, 'H') & flag]
    entries.sort(key=lambda entry: entry.number(schema.MEMORY_BIND, 'H'))
    ids = [entry.number(schema.MEMORY_TENSOR, 'H') for entry in entries]
    unknown = [each for each in ids if each not in tensors]
    if unknown:
        raise BrokenTableError(f'no tensor has the number {unknown[0]} that a memory entry names')
    return tuple(tensors[each] for each in ids)


def _descriptor(entry: Table) -> TensorDescriptor:
    n, c, h, w = (entry.number(schema.TENSOR_DIMS + axis, 'i') for axis in range(4))
    data_format, data_type, category, pixel_format, mapping = (
        entry.number(schema.TENSOR_CODES + index, 'B') for index in range(5)
    )
    return TensorDescriptor(
        name=entry.text(schema.TENSOR_NAME),
        size=entry.number(schema.TENSOR_SIZE, 'Q'),
        dims=(n, c, h, w),
        data_format=data_format,
        data_type=data_type,
        data_category=category,
        pixel_format=pixel_format,
        pixel_mapping=mapping,
        strides=tuple(entry.number(schema.TENSOR_STRIDES + axis, 'I') for axis in range(8)),
    )


def _blob(entry: Table) -> Blob:
    return Blob(entry.text(schema.BLOB_NAME), entry.raw(schema.BLOB_DATA))
