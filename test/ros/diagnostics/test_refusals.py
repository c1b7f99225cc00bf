"""A refused transition, and a failed engine, stay on /diagnostics until one goes well."""

import pytest
from rclpy.parameter import Parameter


def test_a_refused_configure_is_an_error_with_its_reason(open_told_rig, shapes):
    rig = open_told_rig(engine_file_path='/nowhere.dla')
    assert rig.tells('OK', 'unconfigured: no network is loaded')
    assert not rig.lifecycle.change('configure')
    assert rig.tells('ERROR', "unconfigured: configure failed: cannot read the engine '/nowhere.")
    rig.node.set_parameters([Parameter('engine_file_path', value=str(shapes / 'shapes.dla'))])
    assert rig.lifecycle.change('configure')
    assert rig.tells('OK', 'inactive on DLA core 0 (emulated)')


def test_a_wrong_parameter_is_an_error_before_anybody_configures(open_told_rig):
    rig = open_told_rig(confidence_threshold=7.0)
    assert rig.tells('ERROR', 'confidence_threshold')
    assert not rig.lifecycle.change('configure')
    assert rig.tells('ERROR', 'confidence_threshold')


def test_the_first_of_two_reasons_is_told(open_told_rig, monkeypatch):
    """What fails on the way back comes of what failed first."""
    rig = open_told_rig(engine_file_path='/nowhere.dla')

    def refuse():
        raise RuntimeError('the second')

    monkeypatch.setattr(rig.node, 'release', refuse)
    assert not rig.lifecycle.change('configure')
    assert rig.tells('ERROR', "cannot read the engine '/nowhere.dla'")
    assert 'the second' not in rig.told.message()
    monkeypatch.undo()


def test_an_unexpected_error_is_told_in_one_line(open_told_rig, monkeypatch):
    rig = open_told_rig()

    def fail(*_):
        raise RuntimeError('no such thing')

    monkeypatch.setattr(rig.node, '_open_publishers', fail)
    assert not rig.lifecycle.change('configure')
    assert rig.tells('ERROR', 'configure failed: RuntimeError: no such thing')


@pytest.mark.parametrize('topic', ['detector', 'image topic status'])
def test_a_failed_engine_is_an_error_until_it_is_configured_again(open_told_rig, topic):
    rig = open_told_rig(dla_emulator_options='fail=submit:2')
    rig.activate()
    rig.show(rig.image())
    rig.camera().publish(rig.image())
    assert rig.tells('ERROR', 'unconfigured: ')
    assert 'submit' in rig.told.message()
    assert rig.told.values()['call'] == 'submit_task'
    assert rig.tells('OK', 'unconfigured: not subscribed', 'image topic status')
    rig.node.set_parameters([Parameter('dla_emulator_options', value='')])
    rig.activate()
    assert rig.tells('OK', 'active', topic)
