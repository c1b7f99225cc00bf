"""Folders to make things in: removed in the end, whoever has to do it."""

import subprocess
import sys

from dla_ros.files.scratch import scratch
import pytest

HOLD = """
from pathlib import Path
import sys
from dla_ros.files.scratch import scratch
with scratch(Path(sys.argv[1])) as folder:
    (folder / 'half').write_text('made')
    print(folder, flush=True)
    sys.stdin.readline()
"""
MANY = """
from pathlib import Path
import sys
from dla_ros.files.scratch import scratch
for number in range(200):
    with scratch(Path(sys.argv[1])) as folder:
        made = folder / 'whole'
        made.write_text('made')
        made.replace(Path(sys.argv[1]) / 'kept')
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def maker(tmp_path):
    """Give a process that is making something in a scratch folder."""
    process = subprocess.Popen(
        [sys.executable, '-c', HOLD, tmp_path], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def test_a_folder_is_there_and_gone_afterwards(tmp_path):
    place = tmp_path / 'new' / 'place'
    with scratch(place) as folder:
        (folder / 'half').touch()
        assert folder.parent == place
    assert names(place) == []


def test_it_goes_after_an_error_too(tmp_path):
    with pytest.raises(OSError, match='full'), scratch(tmp_path):
        raise OSError('full')
    assert names(tmp_path) == []


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path, maker):
    maker.kill()
    maker.wait()
    (left,) = names(tmp_path)
    with scratch(tmp_path) as folder:
        assert names(tmp_path) == [folder.name] != [left]


def test_what_a_living_process_makes_stays(tmp_path, maker):
    (made,) = names(tmp_path)
    with scratch(tmp_path):
        assert (tmp_path / made / 'half').read_text() == 'made'
    maker.communicate('done\n', timeout=60)
    assert maker.returncode == 0


def test_anything_else_stays(tmp_path):
    (tmp_path / 'tmp12345678').mkdir()
    (tmp_path / 'making-of').symlink_to(tmp_path / 'tmp12345678')
    with scratch(tmp_path):
        pass
    assert names(tmp_path) == ['making-of', 'tmp12345678']


def test_processes_that_make_at_once_take_nothing_from_each_other(tmp_path):
    command = [sys.executable, '-c', MANY, tmp_path]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in running:
        _, said = process.communicate(timeout=100)
        assert said == ''
    assert names(tmp_path) == ['kept']
