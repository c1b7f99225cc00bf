"""What an executor of a container waits for, and what it must not."""


def test_no_executor_holds_an_event_of_what_a_container_loads(open_box):
    box = open_box()
    number = box.load('Plain').unique_id
    for node in (box.node, box.inner(number)):
        assert not list(node.waitables)
