"""The life of a node while images keep coming at 30 Hz, whatever is asked of it."""

from collections import Counter
import random
import threading

from dla_ros.emulator import running
import pytest

PERIOD_S = 1 / 30
# state: transition -> state
LIFE = {
    'unconfigured': {'configure': 'inactive'},
    'inactive': {'activate': 'active', 'cleanup': 'unconfigured'},
    'active': {'deactivate': 'inactive'},
}
TRANSITIONS = ('configure', 'activate', 'deactivate', 'cleanup')
LOOK = None  # let detections come
WALK = (
    'activate', 'configure', 'configure', 'activate', LOOK, 'deactivate', 'activate', LOOK,
    'deactivate', 'cleanup', 'cleanup', 'configure', 'activate', LOOK,
)  # fmt: skip


class Stream:
    """Publish numbered images on a thread of its own until closed; the number is the stamp."""

    def __init__(self, rig, client_node):
        self._publisher = client_node.create_publisher(type(rig.image()), 'image', 10)
        self._image = rig.image()
        self._is_over = threading.Event()
        self.number = 0
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        while not self._is_over.wait(PERIOD_S):
            self.number += 1
            self._image.header.stamp.sec = self.number
            self._publisher.publish(self._image)

    def close(self):
        self._is_over.set()
        self._thread.join()


class Life:
    """Ask for transitions, and remember between which images the node may have been active."""

    def __init__(self, rig, stream):
        self.rig = rig
        self.stream = stream
        self.state = 'unconfigured'
        self.spans = []

    def ask(self, transition):
        """Ask, and check that what is possible happens and what is not is refused."""
        wanted = LIFE[self.state].get(transition)
        if transition == 'activate' and wanted:
            self.spans.append([self.stream.number, None])
        assert self.rig.lifecycle.change(transition) is (wanted is not None)
        self.state = wanted or self.state
        if transition == 'deactivate' and wanted:
            self.close_span()
        assert self.rig.lifecycle.state() == self.state

    def close_span(self):
        self.spans[-1][1] = self.stream.number

    def wait_for_detections(self, count=3):
        before = len(self.rig.arrays)
        assert self.rig.spin_until(lambda: len(self.rig.arrays) >= before + count)

    def check_detections(self):
        """Every array belongs to an image that was sent about while the node was active."""
        numbers = [array.header.stamp.sec for array in self.rig.arrays]
        assert numbers == sorted(numbers)
        assert max(Counter(numbers).values(), default=0) <= 1
        for number in numbers:
            assert any(first <= number <= last + 1 for first, last in self.spans), number


@pytest.fixture
def open_life(open_rig, client_node):
    streams = []

    def make(**values):
        rig = open_rig(**values)
        streams.append(Stream(rig, client_node))
        return Life(rig, streams[-1])

    yield make
    for stream in streams:
        stream.close()


def calls():
    return Counter(running().report().calls) if running() else Counter()


def check_device_given_back(before):
    made = calls() - before
    assert made['create_device'] == made['destroy_device'] > 0
    assert made['module_load_from_memory'] == made['module_unload']
    assert made['mem_register'] == made['mem_unregister']
    assert running().report().open_handles == 0


@pytest.mark.parametrize('executor', ['auto', 'single'])
def test_the_whole_life_is_walked_while_images_come(open_life, log, executor):
    before = calls()
    life = open_life(executor=executor)
    for step in WALK:
        if step is LOOK:
            life.wait_for_detections()
        else:
            life.ask(step)
    assert life.rig.lifecycle.change('shutdown')
    life.close_span()
    life.rig.spin_until(lambda: False, timeout_s=0.2)
    life.check_detections()
    check_device_given_back(before)
    text = log.text
    assert 'InvalidHandle' not in text
    assert 'Traceback' not in text


@pytest.mark.parametrize('seed', range(3))
def test_any_order_of_requests_is_survived_while_images_come(open_life, log, seed):
    before = calls()
    life = open_life()
    life.ask('configure')
    for transition in random.Random(seed).choices(TRANSITIONS, k=25):
        life.ask(transition)
    for transition in ('deactivate', 'cleanup', 'configure', 'activate'):
        if transition in LIFE[life.state]:
            life.ask(transition)
    life.wait_for_detections()
    life.ask('deactivate')
    life.ask('cleanup')
    life.check_detections()
    check_device_given_back(before)
    text = log.text
    assert 'InvalidHandle' not in text
    assert 'Traceback' not in text


def test_two_callers_at_once_are_served_one_after_the_other(open_life):
    life = open_life()
    results = life.rig.change_twice('configure')
    assert results.count(True) == 1
    assert life.rig.lifecycle.state() == 'inactive'
    results = life.rig.change_twice('activate')
    assert results.count(True) == 1
    life.spans.append([0, 10**6])
    life.wait_for_detections()
