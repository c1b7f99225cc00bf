"""Compiling libcudla.so.1 where it is needed, once."""

import hashlib
import os
from pathlib import Path
import platform
import shlex
import subprocess

from dla_ros.errors import EngineError, with_lines
from dla_ros.files.folders import cache_folder
from dla_ros.files.kept import keep, own_folder, read_kept
from dla_ros.files.scratch import scratch

SOURCE = Path(__file__).with_name('libcudla.c')
SONAME = 'libcudla.so.1'
FLAGS = ('-std=c99', '-O1', '-shared', '-fPIC', f'-Wl,-soname,{SONAME}')


def built_library() -> Path:
    """
    Give the path of the compiled library, compiling it if no equal one is cached.

    It lies under XDG_CACHE_HOME (else ~/.cache) in dla_ros, by a hash of source, compiler and
    machine. Raise EngineError where there is no compiler, or it fails.
    """
    compiler = _compiler()
    path = cache_folder() / _key(compiler) / SONAME
    if read_kept(path) is None:
        _compile(compiler, path)
    return path


def _compiler() -> list[str]:
    words = os.environ.get('CC') or 'cc'
    try:
        return shlex.split(words)
    except ValueError as error:
        raise EngineError(f'CC is {words!r}, which no shell reads ({error}); set CC=cc') from error


def _key(compiler: list[str]) -> str:
    parts = (SOURCE.read_text(), _run([*compiler, '--version']), platform.machine(), *FLAGS)
    return 'libcudla-' + hashlib.sha256('\0'.join(parts).encode()).hexdigest()[:16]


def _compile(compiler: list[str], path: Path) -> None:
    """Compile aside, then move: another process may do the same just now."""
    try:
        with scratch(own_folder(path.parent)) as folder:
            made = folder / SONAME
            _run([*compiler, *FLAGS, '-o', str(made), str(SOURCE)])
            keep(path, made.read_bytes())
    except OSError as error:
        raise EngineError(
            f"the emulator's library cannot be written to '{path.parent}': "
            f'{error.strerror or error}; set XDG_CACHE_HOME to a writable folder'
        ) from error


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        shown = shlex.join(command)
        failure = EngineError(f"the emulator's library does not compile: {shown}")
        raise with_lines(failure, error.stderr) from error
    except OSError as error:
        raise EngineError(
            f"the emulator of the DLA needs a C compiler, '{command[0]}' cannot be run "
            f'({error.strerror}); install one: sudo apt install gcc libc6-dev (or set CC)'
        ) from error
    return done.stdout
