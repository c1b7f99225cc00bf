"""What an executor of a container waits for, and what it must not."""

from dla_ros.ros.container.tenant import _fitting
from dla_ros.ros.polled_events import PolledEvents
import pytest
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.waitable import Waitable


def test_no_executor_holds_an_event_of_what_a_container_loads(open_box):
    box = open_box()
    number = box.load('Plain').unique_id
    for node in (box.node, box.inner(number)):
        assert not list(node.waitables)


class Doer(PolledEvents):
    """A node with a waitable of its own, as an action server is one."""

    def __init__(self):
        super().__init__('doer')
        self.add_waitable(Waitable(ReentrantCallbackGroup()))


class Plain(PolledEvents):
    def __init__(self):
        super().__init__('plain')


@pytest.mark.parametrize(('kind', 'executor'), [(Doer, 'single'), (Plain, 'auto')])
def test_a_node_with_waitables_of_its_own_is_not_spun_by_events(ros_context, kind, executor):
    node = kind()
    assert _fitting('auto', node) == executor
    node.destroy_node()
