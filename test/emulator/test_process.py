"""Loading the emulated library: once in a process, and never beside another libcudla."""

import os
from pathlib import Path
import subprocess
import sys

from dla_ros.emulator import EmulatorOptions, running, start
from dla_ros.emulator.compile import built_library
from dla_ros.errors import ConfigError, EngineError
import pytest

ROOT = Path(__file__).parents[2]
MISSING = '/nowhere/cc'


def python(code, **environment):
    """Run code in a process of its own, give what it printed."""
    done = subprocess.run(
        [sys.executable, '-c', code],
        capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, 'PYTHONPATH': str(ROOT), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_second_start_gives_the_same_library_other_options(emulator):
    again = start(EmulatorOptions(cores=1))
    assert again is emulator is running()
    assert again.state.options.cores == 1


def test_it_does_not_start_by_itself():
    assert python('import dla_ros.emulator as e; print(e.running())').strip() == 'None'


def test_the_environment_gives_the_options():
    code = (
        'from dla_ros.emulator import start; start()\n'
        'from cuda.bindings import cudla; print(cudla.device_get_count())'
    )
    assert python(code, DLA_ROS_EMULATOR='cores=7').strip() == '7'


def test_a_bad_environment_is_an_error_that_names_the_option(monkeypatch):
    monkeypatch.setenv('DLA_ROS_EMULATOR', 'cors=7')
    with pytest.raises(ConfigError, match='cors=7'):
        start()


def test_beside_another_libcudla_it_refuses(tmp_path):
    source = tmp_path / 'other.c'
    source.write_text('int cudlaGetVersion(unsigned long *v) { *v = 1; return 0; }\n')
    library = tmp_path / 'libcudla.so.1'
    command = ['cc', '-shared', '-fPIC', '-Wl,-soname,libcudla.so.1', '-o', library, source]
    subprocess.run(command, check=True)
    code = (
        'from cuda.bindings import cudla; print(cudla.get_version())\n'
        'from dla_ros.emulator import start\n'
        'try: start()\n'
        'except Exception as e: print(type(e).__name__, e)'
    )
    said = python(code, LD_LIBRARY_PATH=str(tmp_path))
    assert said.startswith('1\nEngineError')
    assert str(library) in said
    assert 'another process' in said


def test_a_failed_look_for_libcudla_does_not_stop_the_emulator():
    code = (
        'from cuda.bindings import cudla\n'
        'try: cudla.get_version()\n'
        'except RuntimeError: print("none")\n'
        'from dla_ros.emulator import start; start()\n'
        'print(cudla.get_version())'
    )
    assert python(code, LD_LIBRARY_PATH='').split() == ['none', '1005000']


def test_a_call_after_the_end_of_python_finds_no_driver():
    code = (
        'import atexit\n'
        'def late(): print(library.cudlaGetVersion(None))\n'
        'atexit.register(late)\n'
        'from dla_ros.emulator import start\n'
        'import ctypes; library = ctypes.CDLL(str(start().path))\n'
        'print(library.cudlaGetVersion(None))'
    )
    assert python(code).split() == ['1', '15']


def test_the_library_is_compiled_once(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    first = built_library()
    stamp = first.stat().st_mtime_ns
    assert built_library() == first
    assert first.stat().st_mtime_ns == stamp
    assert first.is_relative_to(tmp_path / 'dla_ros')
    left = sorted(path.name for path in first.parent.iterdir())
    assert left == ['libcudla.so.1', 'libcudla.so.1.sha256']


@pytest.mark.parametrize('content', [b'', b'\x7fELF cut off'])
def test_a_library_that_is_broken_is_compiled_again(tmp_path, monkeypatch, content):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    path = built_library()
    whole = path.read_bytes()
    path.write_bytes(content)
    assert built_library() == path
    assert path.read_bytes() == whole


def test_a_library_that_others_may_have_written_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    path = built_library()
    before = path.stat().st_ino
    path.chmod(0o666)
    assert built_library().stat().st_ino != before
    assert path.stat().st_mode & 0o777 == 0o600


def test_folders_of_the_cache_are_the_users_alone_whatever_the_umask(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'cache'))
    before = os.umask(0)
    try:
        path = built_library()
    finally:
        os.umask(before)
    for folder in (tmp_path / 'cache', tmp_path / 'cache' / 'dla_ros', path.parent):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_compiler_with_an_open_quote_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    monkeypatch.setenv('CC', "cc 'x")
    with pytest.raises(EngineError, match='which no shell reads'):
        built_library()


def test_another_compiler_makes_another_library(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    other = tmp_path / 'cc2'
    other.write_text('#!/bin/sh\n[ "$1" = --version ] && echo other && exit\nexec cc "$@"\n')
    other.chmod(0o755)
    first = built_library()
    monkeypatch.setenv('CC', str(other))
    assert built_library() != first


def test_a_missing_compiler_is_named_with_its_package(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    monkeypatch.setenv('CC', MISSING)
    with pytest.raises(EngineError, match=rf"'{MISSING}'.*sudo apt install gcc"):
        built_library()


def test_a_compiler_that_fails_shows_its_words(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    monkeypatch.setenv('CC', 'cc -Werror -include nothing.h')
    with pytest.raises(EngineError, match=r'does not compile(.|\n)*nothing\.h'):
        built_library()


def test_a_cache_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / 'file').write_text('')
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'file'))
    with pytest.raises(EngineError, match='XDG_CACHE_HOME'):
        built_library()
