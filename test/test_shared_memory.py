"""Segments of dead processes, in a folder that stands for /dev/shm, and real locks."""

import fcntl
import os
import subprocess
import sys

from dla_ros.shared_memory import free_memory, Leftovers, sweep
import pytest

KIB = 1024
NAME = 'fastdds_0123456789abcdef'
WHEN_TOLD = """
from pathlib import Path
import sys
from dla_ros.shared_memory import sweep
print('here', flush=True)
sys.stdin.readline()
print(sweep(Path(sys.argv[1])).removed.count)
"""


def leave(folder, name=NAME, size=64 * KIB):
    """Leave a segment as a process that was killed does, and return its lock file."""
    (folder / name).write_bytes(b'x' * size)
    lock = folder / f'{name}_el'
    lock.touch()
    return lock


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize('family', ['fastrtps', 'fastdds'])
def test_what_a_dead_process_left_is_removed_and_counted(tmp_path, family):
    leave(tmp_path, f'{family}_0123456789abcdef')
    leave(tmp_path, f'{family}_fedcba9876543210')
    found = sweep(tmp_path)
    assert found.removed == Leftovers(2, 128 * KIB)
    assert names(tmp_path) == []


def test_the_segment_of_a_living_process_stays(tmp_path):
    lock = leave(tmp_path)
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert sweep(tmp_path).removed == Leftovers()
        assert names(tmp_path) == [NAME, f'{NAME}_el']
    assert sweep(tmp_path).removed.count == 1


def test_a_lock_without_a_segment_is_removed(tmp_path):
    (tmp_path / f'{NAME}_el').touch()
    assert sweep(tmp_path).removed == Leftovers(1, 0)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    'name',
    [
        NAME,  # no lock: nothing says that its process is dead
        'fastdds_port7400',
        'fastdds_port7400_el',
        'sem.fastdds_port7400_mutex',
        'fast_datasharing_01.0f.aa.bb',
        'fastdds_0123456789abcdef_el.txt',
        'fastdds_0123456789ABCDEF_el',
        'psm_12345678',
        'somebody_0123456789abcdef_el',
    ],
)
def test_anything_else_stays(tmp_path, name):
    (tmp_path / name).touch()
    sweep(tmp_path)
    assert names(tmp_path) == [name]


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / 'elsewhere').touch()
    (tmp_path / f'{NAME}_el').symlink_to(tmp_path / 'elsewhere')
    assert sweep(tmp_path).removed == Leftovers()
    assert names(tmp_path) == ['elsewhere', f'{NAME}_el']


def test_what_another_user_left_stays_and_is_counted(tmp_path, monkeypatch):
    leave(tmp_path)
    monkeypatch.setattr(os, 'geteuid', lambda: os.getuid() + 1)
    found = sweep(tmp_path)
    assert found.foreign == Leftovers(1, 64 * KIB)
    assert found.removed == Leftovers()
    assert names(tmp_path) == [NAME, f'{NAME}_el']


def test_what_cannot_be_removed_is_counted_with_the_reason(tmp_path):
    (tmp_path / f'{NAME}_el').touch()
    (tmp_path / NAME).mkdir()  # nobody, not even root, can unlink(2) a folder
    leave(tmp_path, 'fastdds_ffffffffffffffff')
    found = sweep(tmp_path)
    assert found.refused.count == 1
    assert NAME in found.reason
    assert found.removed.count == 1


def test_where_there_is_no_shared_memory_nothing_is_found(tmp_path):
    assert sweep(tmp_path / 'none').removed == Leftovers()
    assert free_memory(tmp_path / 'none') == 0
    assert free_memory(tmp_path) > 0


def test_processes_that_start_at_once_count_each_segment_once(tmp_path):
    for number in range(200):
        leave(tmp_path, f'fastdds_{number:016x}', 8)
    sweepers = [
        subprocess.Popen(
            [sys.executable, '-c', WHEN_TOLD, tmp_path], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for _ in range(4)
    ]  # fmt: skip
    for each in sweepers:
        assert each.stdout.readline() == 'here\n'
    for each in sweepers:
        each.stdin.write('go\n')
        each.stdin.flush()
    counts = [each.communicate(timeout=60)[0] for each in sweepers]
    assert sum(map(int, counts)) == 200
    assert names(tmp_path) == []


def test_words_for_the_log():
    assert str(Leftovers(1, 140_509_728)) == '1 segment (141 MB)'
    assert str(Leftovers(3, 500)) == '3 segments (0 MB)'
