"""A detector whose engine does not answer goes on with another, if the robot file says so."""

import shutil

from dla_ros.robots.fallback_engine import FallbackEngine
from dla_ros.ros.observer import Observer
import pytest


@pytest.fixture
def fall_back(watch, shapes):
    """Give a function that keeps the rig's detector, with a fallback engine."""

    def start(*, recover=1, retry_s=1000.0, **parameters):
        values = {'engine_file_path': str(shapes / 'shapes.onnx'), **parameters}
        word = FallbackEngine(values, retry_s).to_json()
        return watch('/dla_detector', '--fallback', '/dla_detector', word, recover=recover)

    return start


def value(rig, name):
    return rig.node.get_parameter(name).value


def show_until(rig, is_over):
    """Publish images until it is over; return whether it came."""

    def publish_and_look():
        if rig.node.count_subscribers('/image'):
            rig.camera().publish(rig.image())
        return is_over()

    return rig.spin_until(publish_and_look, timeout_s=60)


class Core:
    """The engine of a rig, which can be taken away and given back."""

    def __init__(self, rig, path):
        self.rig = rig
        self.path = path
        self._away = path.with_suffix('.away')

    def burn(self):
        self.path.rename(self._away)
        self.rig.node._on_failure(RuntimeError('the core burned'))

    def mend(self):
        self._away.rename(self.path)


@pytest.fixture
def core(open_rig, shapes, tmp_path):
    for name in ('shapes.dla', 'shapes.dla.yaml'):
        shutil.copy(shapes / name, tmp_path / name)
    return Core(open_rig(engine_file_path=tmp_path / 'shapes.dla'), tmp_path / 'shapes.dla')


def test_it_goes_on_with_the_fallback_and_says_so(fall_back, core, client_node, shapes):
    observer = Observer(client_node, '/dla_detector')
    keeper, rig = fall_back(), core.rig
    assert keeper.tells('watching /dla_detector')
    core.burn()
    assert keeper.tells("'/dla_detector' falls back on engine_file_path"), keeper
    assert show_until(rig, lambda: 'running on the fallback engine' in observer.message)
    assert value(rig, 'engine_file_path') == str(shapes / 'shapes.onnx')
    before = len(rig.arrays)
    assert show_until(rig, lambda: len(rig.arrays) > before), 'it detects'
    assert 'cannot read the engine' in value(rig, 'fallback_notice')
    assert keeper.stop() == 0


def test_it_goes_back_when_its_own_engine_answers_again(fall_back, core):
    keeper, rig = fall_back(retry_s=1.0), core.rig
    assert keeper.tells('watching /dla_detector')
    core.burn()
    assert keeper.tells('goes on with its fallback engine, the next try is in 2 s'), keeper
    core.mend()
    assert keeper.tells('is back on its own engine'), keeper
    assert value(rig, 'engine_file_path') == str(core.path)
    assert value(rig, 'fallback_notice') == ''
    before = len(rig.arrays)
    assert show_until(rig, lambda: len(rig.arrays) > before), 'it detects'


def test_a_fallback_that_fails_too_is_said_and_the_node_stays_down(fall_back, core):
    keeper = fall_back(engine_file_path='/nowhere.onnx')
    assert keeper.tells('watching /dla_detector')
    core.burn()
    assert keeper.tells("'/dla_detector' cannot fall back: "), keeper
    assert keeper.tells("'/dla_detector' stays down"), keeper
    assert core.rig.lifecycle.state() == 'unconfigured'
    assert value(core.rig, 'engine_file_path') == str(core.path), 'whoever mends it means this'
    assert value(core.rig, 'fallback_notice') == ''


def test_a_fallback_that_fails_later_leaves_the_node_its_own_values(fall_back, core, tmp_path):
    other = tmp_path / 'other.dla'
    for ending in ('', '.yaml'):
        shutil.copy(f'{core.path}{ending}', f'{other}{ending}')
    keeper = fall_back(engine_file_path=str(other))
    assert keeper.tells('watching /dla_detector')
    core.burn()
    assert keeper.tells("'/dla_detector' falls back on"), keeper
    assert core.rig.spin_until(lambda: core.rig.lifecycle.state() == 'active', timeout_s=30)
    other.unlink()
    core.rig.node._on_failure(RuntimeError('the other burned, too'))
    assert keeper.tells("'/dla_detector' stays down"), keeper
    assert value(core.rig, 'engine_file_path') == str(core.path)
    assert value(core.rig, 'fallback_notice') == ''


def test_an_engine_that_does_not_last_is_tried_after_twice_the_pause(fall_back, core):
    keeper = fall_back(retry_s=1.0)
    assert keeper.tells('watching /dla_detector')
    core.burn()
    for pause in (2, 4):
        assert keeper.tells(f'the next try is in {pause} s'), keeper


def test_a_fallback_for_nobody_or_without_recovery_is_refused(watch):
    word = FallbackEngine({'dla_core': 1}).to_json()
    for recover, name, said in (
        (1, '/other', '--fallback /other is for none of the nodes; they are: /dla_detector'),
        (0, '/dla_detector', 'give --recover N, too'),
    ):
        keeper = watch('/dla_detector', '--fallback', name, word, recover=recover)
        assert keeper.process.wait(30) == 1
        assert said in keeper.text
        assert 'Traceback' not in keeper.text


def test_without_a_fallback_nothing_else_is_tried(watch, core):
    keeper = watch('/dla_detector', recover=1)
    assert keeper.tells('watching /dla_detector')
    core.burn()
    assert keeper.tells("'/dla_detector' stays down"), keeper
    assert value(core.rig, 'engine_file_path') == str(core.path)
