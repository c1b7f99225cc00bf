"""A child process with its own log, ended as a person would: with Ctrl-C."""

from collections.abc import Mapping, Sequence
from pathlib import Path
import signal
import subprocess
import sys

from dla_ros.errors import DlaRosError, with_lines
from dla_ros.owner import Owner
from dla_ros.ros.stop import uninterrupted

_PATIENCE_S = 5.0
_open: list['ChildProcess'] = []


class ChildProcess(Owner):
    """Own a running Python module; ``close`` ends it and keeps its exit code."""

    def __init__(self, module: str, arguments: Sequence[str], log: Path,
                 environment: Mapping[str, str]) -> None:  # fmt: skip
        """Start ``python -m module`` with its output in ``log``."""
        self.name = module.rsplit('.', 1)[-1]
        self.log = log
        self._file = log.open('w')
        command = [sys.executable, '-m', module, *arguments]
        # an interrupt in the midst of it would leave a child that nobody ends or waits for
        with uninterrupted():
            self._process = subprocess.Popen(
                command, stdout=self._file, stderr=subprocess.STDOUT, env=dict(environment)
            )
            _open.append(self)

    @property
    def is_running(self) -> bool:
        """Tell whether the process has not ended yet."""
        return self._process.poll() is None

    def close(self) -> int:
        """Send SIGINT, wait, and give the exit code; kill it if it does not end."""
        if self.is_running:
            self._process.send_signal(signal.SIGINT)
        try:
            code = self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._file.close()
        if self in _open:
            _open.remove(self)
        return code

    def refuse(self, what: str) -> DlaRosError:
        """Give an error that ends with the process's own last words."""
        words = '\n'.join(self.log.read_text().splitlines()[-12:])
        error = DlaRosError(f'{what}; the last words of {self.name} ({self.log}):')
        return with_lines(error, words)


def close_all() -> None:
    """End the processes that an interrupt has kept their owners from ending, the newest first."""
    for process in reversed(_open.copy()):
        process.close()
