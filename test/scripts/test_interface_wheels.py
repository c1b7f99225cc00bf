"""The wheels of the message packages, built once and kept for every environment."""

from provision.interfaces import move, NAMES


def write_wheels(folder, text):
    folder.mkdir()
    for name in NAMES:
        (folder / f'{name}-4.1.1-cp311-cp311-linux_x86_64.whl').write_text(text)
    return folder


def test_the_second_of_two_set_ups_at_once_takes_what_the_first_has_kept(tmp_path):
    kept = write_wheels(tmp_path / 'kept', 'first')
    move(write_wheels(tmp_path / 'fresh', 'second'), kept)
    assert {wheel.read_text() for wheel in kept.iterdir()} == {'first'}


def test_an_empty_folder_is_filled(tmp_path):
    kept = tmp_path / 'kept'
    kept.mkdir()
    move(write_wheels(tmp_path / 'fresh', 'new'), kept)
    assert len(list(kept.iterdir())) == len(NAMES)


def test_half_a_set_is_replaced(tmp_path):
    kept = write_wheels(tmp_path / 'kept', 'old')
    next(kept.iterdir()).unlink()
    move(write_wheels(tmp_path / 'fresh', 'new'), kept)
    assert [wheel.read_text() for wheel in kept.iterdir()] == ['new'] * len(NAMES)
