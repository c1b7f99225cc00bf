"""The service calls that nav2's lifecycle manager makes, in its order, and bring_up beside it."""

from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState
import pytest

UP = [Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE]
DOWN = [Transition.TRANSITION_DEACTIVATE, Transition.TRANSITION_CLEANUP]
LEADS_TO = {
    Transition.TRANSITION_CONFIGURE: State.PRIMARY_STATE_INACTIVE,
    Transition.TRANSITION_ACTIVATE: State.PRIMARY_STATE_ACTIVE,
    Transition.TRANSITION_DEACTIVATE: State.PRIMARY_STATE_INACTIVE,
    Transition.TRANSITION_CLEANUP: State.PRIMARY_STATE_UNCONFIGURED,
    Transition.TRANSITION_UNCONFIGURED_SHUTDOWN: State.PRIMARY_STATE_FINALIZED,
}


class Manager:
    """Ask by number, look at the state after each transition, and stop at the first that fails."""

    def __init__(self, node, names):
        self._node = node
        self._names = names
        self._clients = {
            name: (
                node.create_client(ChangeState, f'{name}/change_state'),
                node.create_client(GetState, f'{name}/get_state'),
            )
            for name in names
        }
        assert all(each.wait_for_service(30) for pair in self._clients.values() for each in pair)

    def change_all(self, transition):
        """Change every node, the last one first on the way down; tell whether all obeyed."""
        order = self._names if transition in UP else reversed(self._names)
        return all(self._change(name, transition) for name in order)

    def _change(self, name, transition):
        change, get = self._clients[name]
        request = ChangeState.Request(transition=Transition(id=transition))
        if not self._ask(change, request).success:
            return False
        return self._ask(get, GetState.Request()).current_state.id == LEADS_TO[transition]

    def _ask(self, client, request):
        future = client.call_async(request)
        self._node.own_executor.spin_until_future_complete(future, 30)
        assert future.done(), 'it would wait for ever'
        return future.result()


@pytest.fixture
def manager(open_rig, client_node):
    open_rig(name='left')
    open_rig(name='right', dla_core=1)
    return Manager(client_node, ['left', 'right'])


def test_a_manager_that_asks_by_number_starts_pauses_resets_and_ends_detectors(manager):
    for _ in range(2):
        assert all(manager.change_all(step) for step in UP), 'startup'
        assert manager.change_all(Transition.TRANSITION_DEACTIVATE), 'pause'
        assert manager.change_all(Transition.TRANSITION_ACTIVATE), 'resume'
        assert all(manager.change_all(step) for step in DOWN), 'reset'
    assert manager.change_all(Transition.TRANSITION_UNCONFIGURED_SHUTDOWN), 'shutdown'


def test_a_transition_that_the_state_does_not_allow_is_answered(manager):
    assert manager.change_all(Transition.TRANSITION_CONFIGURE)
    assert not manager.change_all(Transition.TRANSITION_CONFIGURE)
    assert not manager.change_all(Transition.TRANSITION_CLEANUP + 100)
    assert manager.change_all(Transition.TRANSITION_ACTIVATE), 'the nodes have lived on'


def test_a_manager_and_bring_up_do_not_get_into_each_others_way(
    open_rig, client_node, watch, wait_until
):
    rig = open_rig(name='eye', dla_emulator_options='fail=submit:3')
    manager = Manager(client_node, ['eye'])
    keeper = watch('/eye', '--only-watch')
    assert keeper.tells('watching /eye')
    assert all(manager.change_all(step) for step in UP), 'startup'
    assert keeper.tells("'/eye' is active, and watched")
    assert manager.change_all(Transition.TRANSITION_DEACTIVATE), 'pause'
    assert keeper.tells("'/eye' was deactivated on purpose; it is left alone")
    assert manager.change_all(Transition.TRANSITION_ACTIVATE), 'resume'
    assert keeper.tells("'/eye' is active, and watched", times=2)
    for number in range(2):
        rig.show(rig.image(number))
    rig.camera().publish(rig.image(2))
    assert keeper.tells("'/eye' is active again")
    rig.show(rig.image(3))
    assert all(manager.change_all(step) for step in DOWN), 'reset'
