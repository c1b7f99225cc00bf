"""The files beside an ONNX model that hold its weights."""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from dla_ros.errors import EngineError
from dla_ros.files.regular_file import is_regular
from dla_ros.model.library import onnx_library

# Written with every tensor that lies outside; a model without it needs no library to be read.
_KEY = b'location'


def external_files(path: Path, content: bytes) -> tuple[Path, ...]:
    """
    Return the files that the model at ``path`` refers to, each once, in the order of their names.

    ``content`` is that of the model file. Raise EngineError if a reference leaves the folder of
    the model, if a file is missing, or if the model is broken.
    """
    if _KEY not in content:
        return ()
    names = sorted({name for tensor in _tensors(path, content) for name in _locations(tensor)})
    return tuple(_inside(path, name) for name in names)


def _inside(path: Path, name: str) -> Path:
    """Return the file of that name; links may lead to where the model itself is linked from."""
    place = path.parent / name
    if not _is_beside(path, place, name):
        raise EngineError(
            f"the ONNX model '{path}' keeps weights in {name!r}, outside its own folder; save it "
            'with the weights beside it: onnx.save(model, FILE, save_as_external_data=True)'
        )
    if not is_regular(place):
        raise EngineError(
            f"the ONNX model '{path}' keeps weights in {name!r}, and there is no file '{place}'; "
            'copy it along with the model'
        )
    return place


def _is_beside(path: Path, place: Path, name: str) -> bool:
    if PurePosixPath(name).is_absolute() or '..' in PurePosixPath(name).parts:
        return False
    folders = (path.parent.resolve(), path.resolve().parent)
    try:
        return any(place.resolve().is_relative_to(each) for each in folders)
    except (OSError, RuntimeError, ValueError):  # a ring of links, or a name that no file can have
        return False


def _locations(tensor: Any) -> list[str]:
    return [entry.value for entry in tensor.external_data if entry.key == _KEY.decode()]


def _tensors(path: Path, content: bytes) -> Iterator[Any]:
    """Yield every tensor of a model: of the graph, of graphs within nodes, of functions."""
    model = _parse(path, content)
    yield from _of_graph(model.graph)
    for function in model.functions:
        yield from _of_nodes(function.node)


def _of_graph(graph: Any) -> Iterator[Any]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    yield from _of_nodes(graph.node)


def _of_nodes(nodes: Iterable[Any]) -> Iterator[Any]:
    for attribute in (each for node in nodes for each in node.attribute):
        yield attribute.t
        yield from attribute.tensors
        for sparse in (attribute.sparse_tensor, *attribute.sparse_tensors):
            yield from (sparse.values, sparse.indices)
        for graph in (attribute.g, *attribute.graphs):
            yield from _of_graph(graph)


def _parse(path: Path, content: bytes) -> Any:
    onnx = onnx_library()
    try:
        return onnx.load_model_from_string(content)
    # protobuf raises errors of many kinds
    except Exception as err:
        raise EngineError(f"the ONNX model '{path}' is broken: {err}") from err
