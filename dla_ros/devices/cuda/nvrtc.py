"""Compile CUDA C++ at run time for the GPU that is there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cuda.bindings import nvrtc
from dla_ros.errors import DeviceError, with_lines


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
