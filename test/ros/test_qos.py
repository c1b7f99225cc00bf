"""Cameras that are heard, and the one that is not: that must be said."""

import pytest
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data, QoSReliabilityPolicy


@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_a_best_effort_camera_before_a_reliable_subscriber_is_told(open_rig, log, executor):
    rig = open_rig(executor=executor, input_qos='DEFAULT')
    rig.activate()
    client = rig.camera_not_heard(qos_profile_sensor_data)
    assert log.tells('input_qos: SENSOR_DATA'), log.text
    assert "a publisher of '/image' is not heard" in log.text
    assert 'RELIABILITY' in log.text
    client.publish(rig.image())
    assert rig.lifecycle.state() == 'active'
    assert rig.counts.received == 0


def test_a_camera_may_come_and_go(open_rig):
    rig = open_rig()
    rig.activate()
    for _ in range(2):
        assert rig.show(rig.image()).detections
        rig.remove_camera()
    assert rig.counts.processed == 2


def overridden(word, topic='/image', entity='subscription'):
    policy, _, value = word.partition('=')
    return {
        f'qos_overrides.{topic}.{entity}.{policy}': int(value) if value[-1:].isdigit() else value
    }


WRONG = {
    'reliability=besteffort': "is 'besteffort'; it must be one of 'reliable', 'best_effort'",
    'reliability=7': "is 7 (int); it must be one of 'reliable', 'best_effort'",
    'history=': "is ''; it must be one of 'keep_last', 'keep_all'",
    'history=unknown': "is 'unknown'; it must be one of 'keep_last', 'keep_all'",
    'depth=-1': 'is -1; it must be a whole number from 1 to 1000000',
    'depth=0': 'is 0; it must be a whole number from 1 to 1000000',
    'depth=1099511627776': 'is 1099511627776; it must be a whole number from 1 to 1000000',
    'depth=many': "is 'many' (str); it must be a whole number from 1 to 1000000",
}
TOPICS = {'subscription': '/image', 'publisher': '/detections'}


@pytest.mark.parametrize('entity', TOPICS)
@pytest.mark.parametrize('word', WRONG)
def test_a_wrong_override_is_refused_by_configure(open_rig, log, word, entity):
    rig = open_rig(**overridden(word, TOPICS[entity], entity))
    assert not rig.lifecycle.change('configure')
    name = f'qos_overrides.{TOPICS[entity]}.{entity}.{word.partition("=")[0]}'
    assert log.tells(f'configure failed: {name} {WRONG[word]}'), log.text
    assert rig.lifecycle.state() == 'unconfigured'
    assert 'Traceback' not in log.text


def test_a_wrong_override_of_compressed_images_is_refused(open_rig, log):
    words = overridden('depth=-1', '/image/compressed')
    rig = open_rig(image_transport='compressed', **words)
    assert not rig.lifecycle.change('configure')
    assert log.tells('configure failed: qos_overrides./image/compressed.subscription.depth is -1')


@pytest.mark.parametrize('word', ['reliability=reliable', 'reliability=RELIABLE'])
def test_an_override_counts_and_is_a_parameter(open_rig, word):
    rig = open_rig(**overridden(word), **overridden('depth=3'))
    rig.activate()
    (info,) = rig.node.get_subscriptions_info_by_topic('/image')
    assert info.qos_profile.reliability == QoSReliabilityPolicy.RELIABLE
    assert rig.node._cameras['image'].subscription.qos.depth == 3
    shown = rig.node.get_parameters_by_prefix('qos_overrides./image.subscription')
    assert {name: each.value for name, each in shown.items()} == {
        'history': 'keep_last', 'depth': 3, 'reliability': 'reliable',
    }  # fmt: skip
    assert rig.show(rig.image()).detections


def test_another_input_qos_counts_after_the_next_configure(open_rig):
    rig = open_rig()
    for name, reliability in (('SENSOR_DATA', 'best_effort'), ('DEFAULT', 'reliable')):
        rig.node.set_parameters([Parameter('input_qos', value=name)])
        rig.activate()
        (info,) = rig.node.get_subscriptions_info_by_topic('/image')
        assert info.qos_profile.reliability.name.lower() == reliability
        assert rig.lifecycle.change('deactivate')
        assert rig.lifecycle.change('cleanup')
        assert rig.node.get_parameters_by_prefix('qos_overrides') == {}


def test_an_override_does_not_change_while_the_node_runs(open_rig):
    rig = open_rig()
    rig.activate()
    name = 'qos_overrides./image.subscription.depth'
    refused = rig.node.set_parameters_atomically([Parameter(name, value=7)])
    assert refused.reason.startswith(f'{name} cannot change while the node is configured')
    assert rig.node.set_parameters_atomically([Parameter(name, value=5)]).successful
    assert rig.node.get_parameter(name).value == 5


def test_a_wrong_override_is_mended_by_setting_it(open_rig):
    rig = open_rig(**overridden('depth=-1'))
    assert not rig.lifecycle.change('configure')
    name = 'qos_overrides./image.subscription.depth'
    assert rig.node.set_parameters_atomically([Parameter(name, value=7)]).successful
    assert rig.lifecycle.change('configure')
    assert rig.node.get_parameter(name).value == 7


def test_the_dump_of_an_active_node_is_taken_in_every_state(open_rig):
    rig = open_rig(**overridden('depth=3'))
    rig.activate()
    dump = [rig.node.get_parameter(name) for name in rig.node.list_parameters([], 0).names]
    assert any(each.name.startswith('qos_overrides') for each in dump)
    for transition in ('deactivate', 'cleanup', 'configure'):
        assert rig.node.set_parameters_atomically(dump).successful
        assert rig.lifecycle.change(transition)
    assert rig.node.get_parameter('qos_overrides./image.subscription.depth').value == 3
