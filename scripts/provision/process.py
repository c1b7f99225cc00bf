"""Run one command so that a failure shows what was run and what it said."""

from __future__ import annotations

import os
import subprocess

SHOWN_LINES = 30


class SetupError(Exception):
    """Carry the one sentence that the user reads when the set-up stops."""


def run(*command: object) -> None:
    """Run a command quietly; raise SetupError with the end of its output if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        tail = '\n'.join(done.stdout.splitlines()[-SHOWN_LINES:])
        msg = f'this command failed with status {done.returncode}:\n{" ".join(words)}\n{tail}'
        raise SetupError(msg)


def forget_other_environments() -> None:
    """
    Drop what a process of another ROS wheel environment hands down.

    Those wheels restart Python once with their own LD_LIBRARY_PATH and mark that as done; a
    Python of this environment would believe the mark and load the other one's libraries.
    """
    if os.environ.pop('_ROS_WHEELS_BOOTSTRAP_COMPLETE', None):
        os.environ.pop('LD_LIBRARY_PATH', None)
        os.environ.pop('AMENT_PREFIX_PATH', None)
