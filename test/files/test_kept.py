"""What is kept for the next time, and who may have written it."""

import os
from pathlib import Path

from dla_ros.files.kept import keep, own_folder, read_kept
import pytest

STRANGER = 12345


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / 'a' / 'b' / 'file'
    keep(path, b'made')
    return path


def test_what_is_kept_is_read_again_and_others_may_neither_read_nor_write_it(kept):
    assert read_kept(kept) == b'made'
    assert [each.stat().st_mode & 0o777 for each in (kept, kept.parent, kept.parent.parent)] == [
        0o600, 0o700, 0o700,
    ]  # fmt: skip
    keep(kept, b'made anew')
    assert read_kept(kept) == b'made anew'


@pytest.mark.parametrize('name', ['file', 'file.sha256'])
@pytest.mark.parametrize('content', [b'', b'other', None])
def test_what_is_broken_or_gone_is_not_believed(kept, name, content):
    path = kept.with_name(name)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    assert read_kept(kept) is None


@pytest.mark.parametrize('name', ['file', 'file.sha256', '.'])
@pytest.mark.parametrize('mode', [0o720, 0o702])
def test_what_others_can_write_to_is_not_believed(kept, name, mode):
    (kept.parent / name).chmod(mode)
    assert read_kept(kept) is None
    keep(kept, b'made')
    assert read_kept(kept) == b'made'


def test_what_another_user_has_written_is_not_believed(kept, monkeypatch):
    monkeypatch.setattr(os, 'geteuid', lambda: STRANGER)
    assert read_kept(kept) is None
    with pytest.raises(OSError, match=f'belongs to another user .number {os.getuid()}'):
        own_folder(kept.parent)
    with pytest.raises(OSError, match='belongs to another user'):
        keep(kept, b'made')


def test_a_link_is_not_followed(kept):
    real = kept.rename(kept.with_name('real'))
    kept.symlink_to(real)
    assert read_kept(kept) is None


def test_where_nothing_is_there_is_nothing(tmp_path):
    assert read_kept(tmp_path / 'file') is None
    assert read_kept(Path('/dev/zero')) is None
