from provision.process import SetupError
from provision.stages import key_of, run_stages, Stage, was_interrupted
import pytest


@pytest.fixture
def done():
    return []


def stages(done, **keys):
    return [
        Stage(name, name, key, lambda name=name: done.append(name)) for name, key in keys.items()
    ]


def test_every_stage_runs_once(tmp_path, done):
    assert run_stages(tmp_path, stages(done, a='1', b='1')) == 2
    assert run_stages(tmp_path, stages(done, a='1', b='1')) == 0
    assert done == ['a', 'b']


def test_a_changed_stage_runs_again_and_with_it_those_that_build_on_it(tmp_path, done):
    run_stages(tmp_path, stages(done, a='1', b='1', c='1'))
    done.clear()
    run_stages(tmp_path, stages(done, a='1', b='2', c='1'))
    assert done == ['b', 'c']


def test_a_failed_stage_runs_again(tmp_path, done):
    def fail():
        raise SetupError('no network')

    with pytest.raises(SetupError):
        run_stages(tmp_path, [*stages(done, a='1'), Stage('b', 'b', '1', fail)])
    assert not was_interrupted(tmp_path)
    run_stages(tmp_path, stages(done, a='1', b='1'))
    assert done == ['a', 'b']


def test_a_stage_that_was_killed_leaves_its_mark(tmp_path):
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_stages(tmp_path, [Stage('a', 'a', '1', interrupt)])
    assert was_interrupted(tmp_path)


def test_a_key_follows_the_contents_of_a_file(tmp_path):
    path = tmp_path / 'pins.txt'
    path.write_text('numpy==2')
    before = key_of('a', path)
    assert key_of('a', path) == before
    path.write_text('numpy==3')
    assert key_of('a', path) != before
    assert key_of('ab', 'c') != key_of('a', 'bc')
