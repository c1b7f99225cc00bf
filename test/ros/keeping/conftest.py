"""bring_up as a process, and a lifecycle node that fails when told."""

import os
import subprocess
import sys
import time

from dla_ros.errors import ConfigError
from dla_ros.ros.lifecycle import ResponsiveLifecycleNode
import pytest

PATIENCE_S = 30  # a loaded machine may take so long


class Watching:
    """A running ``bring_up --recover``, its output in a file."""

    def __init__(self, log, words):
        self._log = log
        with log.open('w') as file:
            self.process = subprocess.Popen(
                [sys.executable, '-m', 'dla_ros.ros.bring_up_main', *words],
                stdout=file, stderr=file, env=os.environ,
            )  # fmt: skip

    def __repr__(self):
        return self.text  # what a failed assertion shows

    @property
    def text(self):
        return self._log.read_text()

    def tells(self, words, times=1):
        """Wait until words were said so often; give whether they were."""
        deadline = time.monotonic() + PATIENCE_S
        while self.text.count(words) < times:
            if time.monotonic() > deadline or self.process.poll() is not None:
                return self.text.count(words) >= times
            time.sleep(0.05)
        return True

    def stop(self):
        """Ask it to end; give the exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE_S)


@pytest.fixture
def watch(ros_context, tmp_path):
    """Give a function that starts bring_up; it is over at the end of the test."""
    started = []

    def start(*words, recover=3):
        log = tmp_path / f'bring_up{len(started)}.log'
        started.append(Watching(log, ['--recover', str(recover), *words]))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()


class Probe(ResponsiveLifecycleNode):
    """A lifecycle node that counts its configures, refuses as told, and fails when told."""

    def __init__(self, name='probe', **options):
        super().__init__(name, **options)
        self.configures = 0
        self.refused = ''
        self._failure = ''

    def configure(self):
        self.configures += 1
        if self.refused:
            raise ConfigError(self.refused)

    def deactivate(self):
        failure, self._failure = self._failure, ''
        if failure:
            raise ConfigError(failure)

    def fail(self, reason='the lamp went out'):
        """Leave 'active' through error processing, as a detector does."""
        self._failure = reason
        self.get_logger().fatal(reason)
        self.worker.start_next(self.trigger_deactivate)

    @property
    def state(self):
        return self._state_machine.current_state[1]


@pytest.fixture
def probe(spinning):
    """Give a spun probe."""
    node = Probe()
    spinning(node)
    yield node
    node.destroy_node()


@pytest.fixture
def wait_until():
    """Give a function that waits until a condition holds, and tells whether it did."""

    def wait(is_over):
        deadline = time.monotonic() + PATIENCE_S
        while not is_over():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    return wait
