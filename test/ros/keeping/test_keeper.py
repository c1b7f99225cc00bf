"""bring_up --recover: what it brings up again, what it leaves alone, and what it says."""

import signal
import subprocess
import sys

from dla_ros.ros.lifecycle_client import LifecycleClient
import pytest


@pytest.fixture
def lifecycle(probe, client_node):
    client = LifecycleClient(client_node, client_node.own_executor, '/probe')
    client.wait(30)
    return client


def test_a_node_that_fails_is_brought_up_again_with_its_reason(watch, probe, wait_until):
    keeper = watch('/probe')
    assert keeper.tells('watching /probe: what fails is brought up again, 3 times within a minute')
    probe.fail()
    assert keeper.tells("'/probe' is active again")
    assert probe.state == 'active'
    said = "'/probe': the lamp went out; it is brought up again in 0.5 s (attempt 1 of 3"
    assert said in keeper.text
    probe.fail()
    assert keeper.tells("'/probe' is active again", times=2)
    assert 'it is brought up again in 1 s (attempt 2 of 3' in keeper.text
    assert probe.configures == 3
    assert keeper.stop() == 0


def test_a_node_that_goes_on_failing_stays_down_and_that_is_said(watch, probe, wait_until):
    keeper = watch('/probe', recover=2)
    for times in (1, 2):
        assert wait_until(lambda: probe.state == 'active')
        probe.fail()
        assert keeper.tells(f'attempt {times} of 2')
    assert wait_until(lambda: probe.state == 'active')
    probe.fail()
    said = "'/probe' stays down: 2 attempts within a minute did not help (recover). "
    assert keeper.tells(f"{said}'/probe': the lamp went out; when the cause is mended: ros2 run")
    assert (probe.state, probe.configures) == ('unconfigured', 3)
    assert keeper.stop() == 0


def test_a_refused_configure_is_an_attempt(watch, probe):
    keeper = watch('/probe')
    assert keeper.tells('watching /probe')
    probe.refused = 'no lamp'
    probe.fail()
    assert keeper.tells("'/probe' stays down: 3 attempts")
    assert keeper.text.count("'/probe': configure failed: no lamp; it is brought up again") == 2
    assert (probe.state, probe.configures) == ('unconfigured', 4)


def test_a_node_that_a_person_has_mended_is_watched_again(watch, probe, lifecycle, wait_until):
    keeper = watch('/probe', recover=1)
    assert keeper.tells('watching /probe')
    probe.refused = 'no lamp'
    probe.fail()
    assert keeper.tells('stays down')
    probe.refused = ''
    assert lifecycle.change('configure')
    assert lifecycle.change('activate')
    assert keeper.tells("'/probe' is active, and watched")
    probe.fail()
    assert keeper.tells('stays down', times=2), 'it heard of the next failure'


@pytest.mark.parametrize('steps', [['deactivate'], ['deactivate', 'cleanup']])
def test_a_node_that_was_taken_down_on_purpose_is_left_alone(watch, probe, lifecycle, steps):
    keeper = watch('/probe')
    assert keeper.tells('watching /probe')
    for step in steps:
        assert lifecycle.change(step)
    assert keeper.tells("'/probe' was deactivated on purpose; it is left alone")
    back = ['configure', 'activate'][2 - len(steps) :] if len(steps) == 2 else ['activate']
    assert probe.state == {1: 'inactive', 2: 'unconfigured'}[len(steps)]
    for step in ['configure', 'activate'] if len(steps) == 2 else back:
        assert lifecycle.change(step), 'nobody else has done it'
    assert keeper.tells("'/probe' is active, and watched")
    probe.fail()
    assert keeper.tells("'/probe' is active again")


def test_only_watching_begins_when_somebody_activates(watch, probe, lifecycle):
    keeper = watch('/probe', '--only-watch')
    assert keeper.tells('watching /probe')
    assert probe.configures == 0
    assert lifecycle.change('configure')
    assert lifecycle.change('activate')
    assert keeper.tells("'/probe' is active, and watched")
    probe.fail()
    assert keeper.tells("'/probe' is active again")
    assert probe.configures == 2


def test_a_first_refusal_ends_with_exit_code_1_as_ever(watch, probe):
    probe.refused = 'no lamp'
    keeper = watch('/probe')
    assert keeper.process.wait(30) == 1
    assert "bring_up: '/probe': configure failed: no lamp" in keeper.text
    assert 'watching' not in keeper.text


def test_the_others_are_watched_where_one_refused_and_going_on_was_asked_for(
    watch, probe, spinning, wait_until
):
    other = type(probe)('other')
    other.refused = 'no lamp'
    spinning(other)
    keeper = watch('/other', '/probe', '--keep-going')
    assert keeper.tells('watching /other, /probe')
    probe.fail()
    assert keeper.tells("'/probe' is active again")
    assert other.configures == 1, 'what never worked is a matter for people'
    assert keeper.stop() == 0
    other.destroy_node()


TWIN = """
import rclpy
from rclpy.lifecycle import LifecycleNode

rclpy.init()
rclpy.spin(LifecycleNode('probe'))
"""


def test_a_second_node_of_the_name_is_told_and_the_first_watched_when_it_is_gone(watch, probe):
    keeper = watch('/probe')
    assert keeper.tells('watching /probe')
    twin = subprocess.Popen([sys.executable, '-c', TWIN])
    assert keeper.tells("'/probe' is the name of several nodes now")
    twin.kill()
    twin.wait()
    probe.fail()
    assert keeper.tells("'/probe' is active again")


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_watch(watch, probe, number):
    keeper = watch('/probe')
    assert keeper.tells('watching /probe')
    keeper.process.send_signal(number)
    assert keeper.process.wait(30) == 0
    assert 'Traceback' not in keeper.text
    assert probe.state == 'active', 'the nodes live on'
