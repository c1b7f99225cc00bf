import gc
from threading import Event
import time

from dla_ros.errors import ConfigError
from dla_ros.ros.lifecycle import ResponsiveLifecycleNode
from dla_ros.ros.lifecycle_client import LifecycleClient
from lifecycle_msgs.srv import ChangeState, GetState
import pytest


class Probe(ResponsiveLifecycleNode):
    """A node whose configure waits at a gate, and fails as told."""

    def __init__(self, name='probe'):
        super().__init__(name)
        self.gate = Event()
        self.gate.set()
        self.entered = Event()
        self.error = None
        self.release_error = None
        self.calls = []

    def configure(self):
        self.calls.append('configure')
        self.entered.set()
        assert self.gate.wait(10)
        if self.error is not None:
            raise self.error

    def activate(self):
        self.calls.append('activate')

    def deactivate(self):
        self.calls.append('deactivate')
        if self.error is not None:
            raise self.error

    def release(self):
        self.calls.append('release')
        if self.release_error is not None:
            raise self.release_error


@pytest.fixture
def probe(ros_context):
    node = Probe()
    yield node
    node.gate.set()
    node.destroy_node()


@pytest.fixture(params=['auto', 'single'])
def driver(request, probe, spinning, client_node):
    spinning(probe, executor=request.param)
    client = LifecycleClient(client_node, client_node.own_executor, '/probe')
    client.wait(10)
    return client


def test_the_whole_life_is_walked(driver, probe):
    for transition in ('configure', 'activate', 'deactivate', 'activate', 'deactivate', 'cleanup'):
        assert driver.change(transition)
    assert driver.state() == 'unconfigured'
    assert driver.change('shutdown')
    assert driver.state() == 'finalized'
    assert probe.calls == ['configure', 'activate', 'deactivate', 'activate', 'deactivate',
                           'release', 'deactivate', 'release']  # fmt: skip


def test_a_long_configure_does_not_block_get_state(driver, probe, client_node):
    probe.gate.clear()
    request = ChangeState.Request()
    request.transition.label = 'configure'
    change = client_node.create_client(ChangeState, '/probe/change_state')
    pending = change.call_async(request)
    client_node.own_executor.spin_once(timeout_sec=0.1)
    assert probe.entered.wait(10)
    assert driver.state() == 'configuring'
    assert not pending.done()
    probe.gate.set()
    client_node.own_executor.spin_until_future_complete(pending, 10)
    assert pending.result().success
    assert driver.state() == 'inactive'


@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_a_long_configure_does_not_block_the_neighbours(probe, spinning, client_node, executor):
    neighbour = Probe('neighbour')
    spinning(probe, neighbour, executor=executor)
    client = LifecycleClient(client_node, client_node.own_executor, '/neighbour')
    client.wait(10)
    probe.gate.clear()
    pending = probe.worker.start(probe.trigger_configure)
    assert probe.entered.wait(10)
    for transition in ('configure', 'activate', 'deactivate'):
        assert client.change(transition)
    assert not pending.done()
    probe.gate.set()
    neighbour.destroy_node()


def test_a_second_configure_is_refused_while_the_first_runs(driver, probe, client_node):
    probe.gate.clear()
    request = ChangeState.Request()
    request.transition.label = 'configure'
    change = client_node.create_client(ChangeState, '/probe/change_state')
    first = change.call_async(request)
    client_node.own_executor.spin_once(timeout_sec=0.1)
    assert probe.entered.wait(10)
    assert not driver.change('configure')
    probe.gate.set()
    client_node.own_executor.spin_until_future_complete(first, 10)
    assert first.result().success
    assert probe.calls == ['configure']


@pytest.mark.parametrize('wrong', ['activate', 'deactivate', 'cleanup', 'no_such_transition'])
def test_an_invalid_transition_is_refused_and_the_node_lives(driver, wrong):
    assert not driver.change(wrong)
    assert driver.state() == 'unconfigured'
    assert driver.change('configure')


def test_an_invalid_transition_by_number_is_refused(driver, client_node):
    change = client_node.create_client(ChangeState, '/probe/change_state')
    request = ChangeState.Request()
    request.transition.id = 3
    pending = change.call_async(request)
    client_node.own_executor.spin_until_future_complete(pending, 10)
    assert not pending.result().success


def test_a_refused_configure_stays_unconfigured_and_gives_everything_back(driver, probe):
    probe.error = ConfigError('engine missing')
    assert not driver.change('configure')
    assert driver.state() == 'unconfigured'
    assert probe.calls == ['configure', 'release']
    probe.error = None
    assert driver.change('configure')


def test_an_unexpected_error_goes_through_on_error_and_is_logged(driver, probe, log):
    probe.error = LookupError('a bug of ours')
    assert not driver.change('configure')
    assert driver.state() == 'unconfigured'
    assert log.tells('a bug of ours')


def test_a_failing_deactivate_ends_unconfigured(driver, probe):
    assert driver.change('configure')
    assert driver.change('activate')
    probe.error = ConfigError('the device is gone')
    assert not driver.change('deactivate')
    assert driver.state() == 'unconfigured'
    assert probe.calls[-1] == 'release'


@pytest.mark.parametrize('transition', ['configure', 'deactivate'])
def test_what_cannot_be_given_back_is_said_and_the_node_can_be_asked_again(
    driver, probe, log, transition
):
    if transition == 'deactivate':
        assert driver.change('configure')
        assert driver.change('activate')
    probe.error = ConfigError('the device is gone')
    probe.release_error = ConfigError('so is its memory')
    assert not driver.change(transition)
    assert driver.state() == 'unconfigured'
    assert log.tells('error processing failed: so is its memory')
    probe.error = probe.release_error = None
    assert driver.change('configure')


def test_a_bug_in_giving_back_ends_the_node(driver, probe):
    probe.error = ConfigError('the device is gone')
    probe.release_error = LookupError('a bug of ours')
    assert not driver.change('configure')
    assert driver.state() == 'finalized'


def test_end_shuts_down_from_every_state(probe):
    probe.trigger_configure()
    probe.trigger_activate()
    assert probe.end()
    assert probe.calls[-2:] == ['deactivate', 'release']


def test_end_tells_that_a_transition_still_runs(probe):
    probe.gate.clear()
    probe.worker.start(probe.trigger_configure)
    assert probe.entered.wait(10)
    assert not probe.end(timeout_s=0.01)


def test_get_state_is_the_real_service(driver, client_node):
    get = client_node.create_client(GetState, '/probe/get_state')
    pending = get.call_async(GetState.Request())
    client_node.own_executor.spin_until_future_complete(pending, 10)
    assert pending.result().current_state.label == 'unconfigured'


def test_a_destroyed_node_is_gone_without_the_garbage_collector(client_node):
    gc.disable()
    try:
        for _ in range(3):
            Probe('short_lived').destroy_node()
        deadline = time.monotonic() + 10
        while 'short_lived' in client_node.get_node_names():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        gc.enable()
