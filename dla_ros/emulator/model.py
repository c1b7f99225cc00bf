"""Reading an ONNX model as one piece."""

from pathlib import Path

from dla_ros.errors import LoadableError
from dla_ros.files.regular_file import read_regular
from dla_ros.loadable.file_kind import FileKind, HEAD_BYTES
from dla_ros.model.external_data import external_files
from dla_ros.model.library import onnx_library

MOST_BYTES = 1 << 31  # what protobuf can hold


def read_model(path: Path) -> bytes:
    """
    Give a model in one piece, weights from external files taken in.

    Raise LoadableError for a file that is missing, is something else, or is broken.
    """
    try:
        data = read_regular(path, MOST_BYTES)
    except OSError as error:
        reason = error.strerror or error
        raise LoadableError(f"cannot read the model '{path}': {reason}") from error
    kind = FileKind.of(data[:HEAD_BYTES])
    if kind is not FileKind.ONNX:
        raise LoadableError(f"'{path}' is not an ONNX model but {kind.words}")
    return _with_weights(path, data)


def _with_weights(path: Path, data: bytes) -> bytes:
    onnx = onnx_library()
    files = external_files(path, data)
    try:
        model = onnx.load_model_from_string(data)
        if files:
            onnx.load_external_data_for_model(model, str(path.parent))
            return bytes(model.SerializeToString())
    # protobuf and onnx raise errors of many kinds here.
    except Exception as error:
        raise LoadableError(f"the ONNX model '{path}' is broken: {error}") from error
    return data
