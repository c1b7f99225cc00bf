"""The heap settings, in processes of their own: they cannot be taken back."""

import os
import subprocess
import sys

from dla_ros.malloc import is_left_alone
import pytest

# Count arenas of the heap that glibc has made for threads that allocate at the same time.
PROGRAM = """
import re, sys, threading
from dla_ros.malloc import limit_arenas
print(limit_arenas())
gate = threading.Barrier(9)
def allocate():
    kept = [bytearray(1000) for _ in range(1000)]
    gate.wait()
for _ in range(8):
    threading.Thread(target=allocate).start()
gate.wait()
import ctypes
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
path = sys.argv[1].encode()
file = libc.fopen(path, b'w')
libc.malloc_info(0, ctypes.c_void_p(file))
libc.fclose(ctypes.c_void_p(file))
print(open(sys.argv[1]).read().count('<heap nr='))
"""


def said(tmp_path, **environment):
    ended = subprocess.run(
        [sys.executable, '-c', PROGRAM, str(tmp_path / 'info.xml')],
        env={**os.environ, **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return ended.stdout.split()


def test_threads_share_one_arena_once_it_is_limited(tmp_path):
    is_limited, arenas = said(tmp_path)
    if is_limited == 'False':
        pytest.fail('mallopt refused: is this glibc?')
    assert arenas == '1'


def test_a_limit_of_the_environment_is_left_alone(tmp_path):
    assert said(tmp_path, MALLOC_ARENA_MAX='4')[0] == 'False'


@pytest.mark.parametrize(
    ('words', 'is_alone'),
    [
        (['detector_node'], False),
        (['--ros-args', '-p', 'tune_malloc:=true'], False),
        (['--ros-args', '-p', 'tune_malloc:=false'], True),
        (['--ros-args', '--param', 'dla_detector:tune_malloc:=No'], True),
        (['--ros-args', '-p', 'tune_malloc:=nonsense'], False),
        (['--ros-args', '-p', 'my_tune_malloc:=false'], False),
        (['--ros-args', '--params-file'], False),
        (['--ros-args', '--params-file', 'no/such.yaml'], False),
    ],
)
def test_the_heap_is_left_alone_where_the_command_line_says_so(words, is_alone):
    assert is_left_alone(words) is is_alone


@pytest.mark.parametrize(
    ('text', 'is_alone'),
    [
        ('/**:\n  ros__parameters:\n    tune_malloc: false\n', True),
        ('/**: {ros__parameters: {tune_malloc: off}}\n', True),
        ('/**:\n  ros__parameters:\n    tune_malloc: true  # not tune_malloc: false\n', False),
        ('/**:\n  ros__parameters:\n    slots: 2\n', False),
    ],
)
def test_the_heap_is_left_alone_where_a_parameter_file_says_so(tmp_path, text, is_alone):
    file = tmp_path / 'parameters.yaml'
    file.write_text(text)
    assert is_left_alone(['--ros-args', '--params-file', str(file)]) is is_alone
