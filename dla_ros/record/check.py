"""Checking that a record speaks of this file and of this machine."""

from dataclasses import fields
import hashlib
import os
from pathlib import Path

from dla_ros.errors import RecordError
from dla_ros.files.regular_file import open_regular
from dla_ros.loadable.file_kind import FileKind, HEAD_BYTES, RECORDED
from dla_ros.model.external_data import external_files
from dla_ros.record.sections import Artifact, Platform

CHUNK = 1 << 20
AGAIN = 'copy the engine and its record again, from one build'


def check_artifact(artifact: Artifact, path: Path, content: bytes | None = None) -> None:
    """
    Raise RecordError unless a file is the one that is described.

    ``content`` is what was read of it, where that is what will run; else the file is read here.
    Compared are size, kind and sha256, each where it was written down; with the sha256 of an ONNX
    model those of the files that hold its weights.
    """
    try:
        size, kind, digest = _look_at(path, content, artifact.sha256 is not None)
        weights = digests_of_weights(path, content) if _is_checked(artifact, kind) else {}
    except OSError as error:
        raise RecordError(f"cannot read '{path}': {error.strerror or error}") from error
    name = f"'{path}' is not the file that its record describes"
    if artifact.size is not None and size != artifact.size:
        raise RecordError(f'{name}: it has {size} bytes, recorded are {artifact.size}; {AGAIN}')
    if artifact.kind is not None and kind is not RECORDED[artifact.kind]:
        raise RecordError(f'{name}: it is {kind.words}, recorded is {artifact.kind}; {AGAIN}')
    if artifact.sha256 is not None and digest != artifact.sha256.lower():
        raise RecordError(
            f'{name}: its sha256 is {digest}, recorded is {artifact.sha256}; {AGAIN}'
        )
    for file_name, found in weights.items():
        _check_weights(path, file_name, found, artifact.external_data.get(file_name))


def _look_at(
    path: Path, content: bytes | None, is_hashed: bool
) -> tuple[int, FileKind, str | None]:
    if content is not None:
        digest = hashlib.sha256(content).hexdigest() if is_hashed else None
        return len(content), FileKind.of(content[:HEAD_BYTES]), digest
    with open_regular(path) as file:
        kind = FileKind.of(file.read(HEAD_BYTES))
        size = os.fstat(file.fileno()).st_size
    return size, kind, sha256_of(path) if is_hashed else None


def digests_of_weights(path: Path, content: bytes | None = None) -> dict[str, str]:
    """
    Return the sha256 of each file that an ONNX model keeps its weights in, by name.

    Raise EngineError for a model whose files are missing or lie outside its folder.
    """
    files = external_files(path, path.read_bytes() if content is None else content)
    return {file.relative_to(path.parent).as_posix(): sha256_of(file) for file in files}


def _is_checked(artifact: Artifact, kind: FileKind) -> bool:
    return kind is FileKind.ONNX and bool(artifact.sha256 or artifact.external_data)


def _check_weights(path: Path, name: str, found: str, recorded: str | None) -> None:
    if recorded is None:
        raise RecordError(
            f"'{path}' keeps weights in '{name}', whose sha256 its record lacks, so other weights "
            f'would go unseen; add to its artifact: external_data: {{{name}: {found}}}'
        )
    if found != recorded.lower():
        raise RecordError(
            f"'{path.parent / name}' does not hold the weights that the record of '{path.name}' "
            f'describes: its sha256 is {found}, recorded is {recorded}; {AGAIN}'
        )


def differences(built: Platform, here: Platform) -> list[str]:
    """Give a sentence for each difference; what either does not know is equal."""
    return [
        f'{item.name} is {here_value} here, the engine was built for {built_value}'
        for item in fields(Platform)
        if (built_value := getattr(built, item.name)) is not None
        and (here_value := getattr(here, item.name)) is not None
        and built_value != here_value
    ]


def sha256_of(path: str | Path) -> str:
    """Give the sha256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with Path(path).open('rb') as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
