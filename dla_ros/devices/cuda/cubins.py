"""Machine code of the kernels, compiled once for each machine and kept on disk."""

from collections.abc import Sequence
from contextlib import suppress
import hashlib
from pathlib import Path

from dla_ros.devices.cuda.nvrtc import compile_source, Compiled, version
from dla_ros.errors import ConfigError
from dla_ros.folders import cache_folder
from dla_ros.kept import keep, read_kept

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
