"""What a node says of itself on /diagnostics, by the name of each status."""

from diagnostic_msgs.msg import DiagnosticArray
import pytest

LEVELS = ('OK', 'WARN', 'ERROR', 'STALE')


class Told:
    """The newest statuses of the node 'dla_detector', by their name behind the node's."""

    def __init__(self, client):
        self.statuses = {}
        self.arrays = 0
        client.create_subscription(DiagnosticArray, '/diagnostics', self._take, 10)

    def level(self, name='detector'):
        status = self.statuses.get(name)
        return LEVELS[status.level[0]] if status else None

    def message(self, name='detector'):
        status = self.statuses.get(name)
        return status.message if status else ''

    def values(self, name='detector'):
        return {item.key: item.value for item in self.statuses[name].values}

    def _take(self, message):
        self.arrays += 1
        for status in message.status:
            self.statuses[status.name.removeprefix('/dla_detector: ')] = status


@pytest.fixture
def told(client_node):
    return Told(client_node)


@pytest.fixture
def open_told_rig(open_rig, told):
    """Give a function that opens a rig whose diagnostics come often; ``rig.told`` hears them."""

    def make(**values):
        rig = open_rig(diagnostics_period=0.1, **values)
        rig.told = told
        rig.tells = lambda level, words, name='detector': rig.spin_until(
            lambda: told.level(name) == level and words in told.message(name)
        )
        return rig

    return make
