"""Kernels compiled by NVRTC, once for each machine, and kept on disk."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
import hashlib
from pathlib import Path
from typing import Any

from cuda.bindings import nvrtc
from dla_ros.errors import ConfigError, DeviceError, with_lines
from dla_ros.files.folders import cache_folder
from dla_ros.files.kept import keep, read_kept


@dataclass(frozen=True)
class Compiled:
    """Hold machine code and what the assembler said of registers and spills."""

    cubin: bytes
    log: str


def compile_source(
    source: str, headers: dict[str, str], options: Sequence[str], name: str
) -> Compiled:
    """
    Compile for the one architecture that ``options`` name; ``headers`` are texts by file name.

    Raise DeviceError where NVRTC is missing, too old for the architecture, or refuses the source.
    """
    _find()
    program = _check(
        nvrtc.nvrtcCreateProgram(
            source.encode(), name.encode(), len(headers),
            [text.encode() for text in headers.values()],
            [header.encode() for header in headers],
        ), name,
    )  # fmt: skip
    try:
        words = [option.encode() for option in options]
        result = nvrtc.nvrtcCompileProgram(program, len(words), words)
        log = _text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program, name)
        _check(result, name, log.decode(errors='replace'))
        cubin = _text(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program, name)
    finally:
        nvrtc.nvrtcDestroyProgram(program)
    return Compiled(cubin, log.decode(errors='replace').rstrip('\0'))


def version() -> str:
    """Give NVRTC's version: 13.0. Raise DeviceError where it is missing."""
    _find()
    status, major, minor = nvrtc.nvrtcVersion()
    _check((status,), 'nvrtcVersion')
    return f'{major}.{minor}'


def _find() -> None:
    """Let the library be loaded, which otherwise fails at the first call with a foreign error."""
    try:
        nvrtc.nvrtcVersion()
    except RuntimeError as error:
        raise DeviceError(
            f'the kernels cannot be compiled, NVRTC is missing ({error}); '
            "pip install 'nvidia-cuda-nvrtc>=13,<14', or install the CUDA toolkit"
        ) from error


def _text(size_of: Any, copy: Any, program: Any, name: str) -> bytes:
    text = bytes(int(_check(size_of(program), name)))
    _check(copy(program, text), name)
    return text


def _check(result: tuple[Any, ...], name: str, log: str = '') -> Any:
    status, *values = result
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise with_lines(DeviceError(f'NVRTC refuses {name}: {status.name}'), log[:2000])
    return values[0] if values else None


_HERE = Path(__file__).parent
# NVRTC's own cache gives no log of the assembler, and what it would keep is kept here
_ALWAYS = ('-std=c++17', '--ptxas-options=-v', '--no-cache')


def compiled(source: Path, options: Sequence[str], architecture: str) -> Compiled:
    """
    Compile a ``.cu`` file and the headers beside it, not looking for a kept one.

    ``architecture`` is as sm_87. Raise DeviceError if NVRTC refuses.
    """
    headers = {path.name: path.read_text() for path in sorted(source.parent.glob('*.cuh'))}
    words = (f'-arch={architecture}', *_ALWAYS, *options)
    return compile_source(source.read_text(), headers, words, source.name)


def cubin_of(source: Path, options: Sequence[str], architecture: str) -> bytes:
    """
    Give the machine code of a ``.cu`` file, compiling it if no equal one is kept.

    Kept under XDG_CACHE_HOME (else ~/.cache) in dla_ros, by a hash of all that goes into it. A
    cache that cannot be written costs time, and nothing else.
    """
    name = f'{source.stem}-{_key(source, options, architecture)}.cubin'
    try:
        place = cache_folder() / 'kernels' / name
    except ConfigError:  # no home: kept nowhere
        return compiled(source, options, architecture).cubin
    kept = read_kept(place)
    if kept is not None:
        return kept
    cubin = compiled(source, options, architecture).cubin
    with suppress(OSError):
        keep(place, cubin)
    return cubin


def _key(source: Path, options: Sequence[str], architecture: str) -> str:
    texts = [
        source.read_text(),
        *(path.read_text() for path in sorted(source.parent.glob('*.cuh'))),
    ]
    parts = (*texts, *options, *_ALWAYS, architecture, version())
    return hashlib.sha256('\0'.join(parts).encode()).hexdigest()[:16]
